import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** For what one test file makes and all others of the run use. */
    readonly runFolder: string;
  }
}

/** Short, because sockets are made below it, and their paths have an end. */
const PREFIX = "wt-";

/** Vitest calls it for each project, before the first test file; what it answers is called after the last. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const isFirst = !isRunFolder(tmpdir());
  // Test processes are started later and inherit it: all that they make is in one folder, which goes with the run.
  if (isFirst) process.env.TMPDIR = await mkdtemp(join(await roomForTests(), PREFIX));
  const folder = tmpdir();
  // As any temporary folder: PostgreSQL has a user of its own where the tests are root's.
  await chmod(folder, 0o1777);
  provide("runFolder", folder);
  return async () => {
    if (isFirst) await rm(folder, { recursive: true, force: true });
  };
}

/** Whether a run of the tests keeps its things there, and takes them away in the end. */
export function isRunFolder(folder: string): boolean {
  return basename(folder).startsWith(PREFIX);
}

const MEMORY = "/dev/shm";
/** Several times what a run needs. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/** In memory where there is plenty: a seventh of the time went into waiting for a disk that no test can tell from this. */
async function roomForTests(): Promise<string> {
  if (process.env.TMPDIR !== undefined || !existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = await statfs(MEMORY);
  return bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir();
}
