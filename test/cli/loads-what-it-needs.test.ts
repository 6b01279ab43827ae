import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundledApp } from "../support/bundle-app.ts";

/** What is loaded before the first command runs: the program's file and those that it imports by name, and so on. */
async function loadedAtOnce(file: string, seen = new Map<string, string>()): Promise<string> {
  if (seen.has(file)) return "";
  const text = await readFile(file, "utf8");
  seen.set(file, text);
  for (const [, name = ""] of text.matchAll(/^(?:import|\} from) "(\.\/[^"]+)";$/gm))
    await loadedAtOnce(join(dirname(file), name), seen);
  return [...seen.values()].join("\n");
}

describe("the built program", () => {
  it.each(["kysely", "pg", "simple-git", "probot", "@octokit/rest", "execa", "graphql"])(
    "does not load %s for a command that needs none",
    async (name) => {
      const text = await loadedAtOnce(await bundledApp());
      expect(text).toContain("// node_modules/commander/");
      expect(text).not.toContain(`// node_modules/${name}/`);
    },
  );
});
