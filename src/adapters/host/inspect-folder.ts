import { constants } from "node:fs";
import { access, mkdtemp, rm, stat, statfs } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { FolderFacts } from "../../ports/inspection.ts";

/** Finds out whether a folder can be used, or could be made. It does not make it. */
export async function inspectFolder(folder: string): Promise<FolderFacts> {
  const path = resolve(folder);
  const nearest = await nearestExisting(path);
  const exists = nearest === path;
  const unwritable = await whyUnwritable(nearest, exists);
  const freeBytes = await statfs(nearest).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  );
  return { path, exists, unwritable, freeBytes };
}

async function nearestExisting(path: string): Promise<string> {
  const there = await stat(path).then(
    () => true,
    () => false,
  );
  return there || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** Writes to the folder instead of only asking, because a read-only disk shows no other way. */
async function whyUnwritable(path: string, exists: boolean): Promise<string | undefined> {
  if (!(await stat(path)).isDirectory()) {
    return exists ? "it is a file, not a folder" : `${path} is a file, not a folder`;
  }
  try {
    await access(path, constants.W_OK | constants.X_OK);
    if (!exists) return undefined;
    await rm(await mkdtemp(join(path, ".doctor-")), { recursive: true });
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "an error";
    return `nothing can be written to ${path} (${code})`;
  }
}
