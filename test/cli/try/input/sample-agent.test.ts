import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SAMPLE_AGENT } from "../../../../src/cli/try/input/sample-agent.ts";
import { SAMPLE_FILES } from "../../../../src/cli/try/input/sample-project.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sample-agent-"));
  // The pauses are for people who look on.
  await writeFile(join(folder, "agent.mjs"), SAMPLE_AGENT.replace("await pause(", "void ("));
  for (const [path, text] of Object.entries(SAMPLE_FILES)) {
    await mkdir(dirname(join(folder, "base", path)), { recursive: true });
    await writeFile(join(folder, "base", path), text);
  }
});
afterAll(() => rm(folder, { recursive: true }));

async function workspace(name: string): Promise<string> {
  const copy = join(folder, name);
  await cp(join(folder, "base"), copy, { recursive: true });
  return copy;
}

const work = (cwd: string, id: string, prompt = "") =>
  execa("node", [join(folder, "agent.mjs")], {
    cwd,
    input: prompt,
    env: { WAVETRAIN_TASK_ID: id, WAVETRAIN_ATTEMPT: "2", WAVETRAIN_TASK_TITLE: "More" },
  });

const said = (words: string) => `Rules\n\nreviewer said:\n\n\`\`\`\`text\n${words}\n\`\`\`\`\n`;

describe("the sample's scripted agent", () => {
  it.each(["slug", "unicode", "hyphens", "index"])(
    "answers each review of %s with a further change that passes",
    async (id) => {
      const cwd = await workspace(id);
      await work(cwd, id);
      const file = join(cwd, id === "slug" || id === "index" ? `src/${id}.js` : "src/words.js");
      const first = await readFile(file, "utf8");
      await work(cwd, id, said("\nShorter, please.\nAnd `faster`."));
      await work(cwd, id, said("Shorter, please."));
      expect(await readFile(file, "utf8")).toBe(
        `${first}\n// Review 1: Shorter, please.\n\n// Review 2: Shorter, please.\n`,
      );
      await execa("node", ["--check", file]);
    },
  );

  it("does a card that somebody made by hand", async () => {
    const cwd = await workspace("other");
    await work(
      cwd,
      "local/text-tools#9",
      "- Change only files that match:\n  - src/**\n  - docs/a.md\n- Do",
    );
    expect(await readFile(join(cwd, "docs/a.md"), "utf8")).toBe("Done: More\n");
    await work(cwd, "local/text-tools#10");
    expect(await readFile(join(cwd, "NOTES.md"), "utf8")).toBe("Done: More\n");
  });
});
