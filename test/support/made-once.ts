import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";

/** A folder that all files of the run share. Whoever needs it first makes it. */
export async function madeOnce(
  name: string,
  make: (folder: string) => Promise<unknown>,
): Promise<string> {
  const kept = join(inject("runFolder"), name);
  if (existsSync(kept)) return kept;
  const made = await mkdtemp(`${kept}-`);
  await make(made);
  try {
    await rename(made, kept);
  } catch (error) {
    // Another file's process was faster; a folder with files in it is not replaced.
    if (!existsSync(kept)) throw error;
    await rm(made, { recursive: true });
  }
  return kept;
}
