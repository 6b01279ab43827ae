import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runPlan, taskFile } from "./run-plan.ts";

const fromRoot = (path: string): string =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url));

interface Example {
  readonly file: string;
  readonly command: string;
  readonly output: string;
}

/** Every console block of the page, with the YAML block before it. */
function examplesOn(page: string): readonly Example[] {
  let file = "";
  return [...page.matchAll(/```(yaml|console)\n(.*?)```/gs)].flatMap(([, language, text = ""]) => {
    if (language === "yaml") file = text;
    const [, command = "", output = ""] = /^\$ wavetrain (.*?)\n(.*)$/s.exec(text) ?? [];
    return language === "yaml" ? [] : [{ file, command, output }];
  });
}

async function outputOf({ file, command }: Example): Promise<string> {
  const name = /--tasks (\S+)/.exec(command)?.[1] ?? "";
  const path = await taskFile(file);
  const args = command.split(" ").slice(1);
  const { out, err } = await runPlan(args.map((word) => (word === name ? path : word)));
  return (out + err).replaceAll(path, name);
}

describe("docs/planning.md", () => {
  const examples = examplesOn(readFileSync(fromRoot("docs/planning.md"), "utf8"));

  it("has examples", () => {
    expect(examples).toHaveLength(2);
  });

  it.each(examples)("shows what $command prints", async (example) => {
    expect(await outputOf(example)).toBe(example.output);
  });
});
