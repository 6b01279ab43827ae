import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findRunner } from "../../../../src/cli/try/input/find-runner.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wavetrain-find-runner-"));
  await writeFile(join(folder, "codex"), "#!/bin/sh\n");
  await chmod(join(folder, "codex"), 0o755);
});
afterAll(() => rm(folder, { recursive: true }));

async function fileWith(text: string): Promise<Readonly<Record<string, string>>> {
  const file = join(folder, "operator.yml");
  await writeFile(file, text);
  return { WAVETRAIN_CONFIG: file, PATH: folder };
}

describe("findRunner", () => {
  it("asks for the key of a preset before anything runs", async () => {
    expect(await findRunner("codex", { PATH: folder })).toEqual({
      ok: false,
      error: "--runner codex: it has no key: set CODEX_API_KEY or OPENAI_API_KEY",
    });
  });

  it("takes a preset by its name, with the keys of its provider", async () => {
    expect(await findRunner("codex", { PATH: folder, OPENAI_API_KEY: "x" })).toEqual({
      ok: true,
      value: {
        name: "codex",
        runner: { preset: "codex", env: ["CODEX_API_KEY", "OPENAI_API_KEY"] },
        sandbox: undefined,
      },
    });
  });

  it("takes the entry of the operator's file before a preset of the same name, with its sandbox", async () => {
    const variables = await fileWith("sandbox: none\nrunners: { codex: { command: echo hi } }\n");
    expect(await findRunner("codex", variables)).toMatchObject({
      ok: true,
      value: { runner: { command: "echo hi" }, sandbox: { sandbox: "none" } },
    });
  });

  it.each([
    { what: "a name that nobody has", name: "nobody", words: "there are ours, codex" },
    { what: "a program that is not there", name: "claude", words: "claude: there is no such" },
    { what: "a file that is wrong", name: "codex", text: "runers: {}", words: "operator.yml:1" },
  ])("says what is wrong with $what", async ({ name, text, words }) => {
    const variables = await fileWith(text ?? "runners: { ours: { command: 'true' } }");
    const found = await findRunner(name, variables);
    expect(found).toMatchObject({ ok: false, error: expect.stringContaining(words) as string });
  });

  it("wants the file that is named", async () => {
    const found = await findRunner("codex", { WAVETRAIN_CONFIG: "/nowhere.yml", PATH: folder });
    expect(found).toEqual({ ok: false, error: "/nowhere.yml: cannot be read" });
  });
});
