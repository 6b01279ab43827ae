import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** For what one test file makes and all others of the run use. */
    readonly runFolder: string;
  }
}

/** Vitest calls it once, before the first test file; what it answers is called after the last. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "wavetrain-run-"));
  provide("runFolder", folder);
  return () => rm(folder, { recursive: true, force: true });
}
