import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundledApp } from "../support/bundle-app.ts";

/** The files that are loaded before the first command runs: the program's own and those that it imports by name, and so on. */
async function loadedAtOnce(file: string, seen = new Map<string, string>()): Promise<string[]> {
  if (!seen.has(file)) {
    const text = await readFile(file, "utf8");
    seen.set(file, text);
    for (const [, name = ""] of text.matchAll(/^(?:import|\} from) "(\.\/[^"]+)";$/gm))
      await loadedAtOnce(join(dirname(file), name), seen);
  }
  return [...seen.values()];
}

/** By the line that esbuild writes above each file's text. */
function packagesIn(text: string): readonly string[] {
  const found = text.matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)\//gm);
  return [...found].map(([, name = ""]) => name);
}

describe("the built program", () => {
  it("loads neither the store's nor git's nor GitHub's clients for a command that needs none", async () => {
    const packages = new Set((await loadedAtOnce(await bundledApp())).flatMap(packagesIn));
    expect(packages).toContain("commander");
    const heavy = ["kysely", "pg", "simple-git", "probot", "@octokit/rest", "execa", "graphql"];
    expect(heavy.filter((name) => packages.has(name))).toEqual([]);
  });
});
