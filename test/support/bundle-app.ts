import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { buildApart } from "../../build.ts";

/** The program as it is built for people; answers the file to start. Whoever needs it first makes it, for all files of the run. */
export async function bundledApp(): Promise<string> {
  const folder = inject("runFolder");
  const kept = join(folder, "program");
  const program = join(kept, "dist", "cli", "main.js");
  if (existsSync(program)) return program;
  const made = await mkdtemp(join(folder, "building-"));
  await buildApart(made);
  try {
    await rename(made, kept);
  } catch (error) {
    // Another file's process was faster; a folder with files in it is not replaced.
    if (!existsSync(program)) throw error;
    await rm(made, { recursive: true });
  }
  return program;
}
