import { existsSync } from "node:fs";
import { mkdtemp, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { inject } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PROGRAMS = ["owner", "postgres-owner", "rivals", "stuck", "writer"];

/**
 * The programs of `children/`, as JavaScript: one that starts from there is ready in a fifth of the time that compiling on the fly
 * takes, and dozens of starts fit into a test. Whoever needs them first makes them, for all files of the run.
 */
export async function compiledChildren(): Promise<string> {
  const kept = join(inject("runFolder"), "store-children");
  if (existsSync(kept)) return kept;
  const made = await mkdtemp(`${kept}-`);
  await symlink(join(ROOT, "node_modules"), join(made, "node_modules"));
  await build({
    entryPoints: PROGRAMS.map((name) => join(ROOT, "test/adapters/store/children", `${name}.ts`)),
    outdir: made,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    platform: "node",
    target: "node20.19",
    format: "esm",
    logLevel: "error",
  });
  try {
    await rename(made, kept);
  } catch (error) {
    // Another file's process was faster; a folder with files in it is not replaced.
    if (!existsSync(kept)) throw error;
    await rm(made, { recursive: true });
  }
  return kept;
}
