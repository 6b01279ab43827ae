import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

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

function outputOf({ file, command }: Example): string {
  const name = /--tasks (\S+)/.exec(command)?.[1] ?? "";
  const args = command.split(" ").map((word) => (word === name ? "-" : word));
  const script = ["--import", "tsx", fromRoot("src/cli/main.ts"), ...args];
  try {
    return execFileSync(process.execPath, script, { input: file, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    return (error as { stderr: string }).stderr.replaceAll("stdin:", `${name}:`);
  }
}

describe("docs/planning.md", () => {
  const examples = examplesOn(readFileSync(fromRoot("docs/planning.md"), "utf8"));

  it("has examples", () => {
    expect(examples).toHaveLength(2);
  });

  it.each(examples)("shows what $command prints", (example) => {
    expect(outputOf(example)).toBe(example.output);
  });
});
