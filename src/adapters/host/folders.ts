import { chmod, readdir, stat, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Aside } from "../../ports/host.ts";
import { codeOf, isMissing } from "./file-errors.ts";

interface Listing<T> {
  readonly aside: Aside;
  /** Says what a name stands for, or undefined when it stands for nothing. */
  readonly read: (name: string) => T | undefined;
}

/** File systems keep this folder at their root; it is nobody's. */
const LOST_AND_FOUND = "lost+found";

/** Lists what the folders below one of ours stand for, and puts aside whatever else lies there. A missing folder has none. */
export async function foldersIn<T>(
  folder: string,
  { aside, read }: Listing<T>,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (const name of await namesOf(folder, aside)) {
    if (name === LOST_AND_FOUND) continue;
    const path = join(folder, name);
    const stats = await stat(path).catch(() => undefined);
    const meant = stats?.isDirectory() === true ? read(name) : undefined;
    if (meant !== undefined) found.push(meant);
    // If it is gone by now, that is nothing odd: others work here meanwhile.
    else await aside.put(path, whyOdd(stats));
  }
  return found;
}

/** Decodes the name of a folder; returns undefined for a name that the app would never have given. */
export function decodedName(folder: string): string | undefined {
  try {
    const name = decodeURIComponent(folder);
    return encodeURIComponent(name) === folder ? name : undefined;
  } catch {
    // We did not encode this name.
    return undefined;
  }
}

/** Lists the names in a folder; a missing folder has none. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}

/** Deletes a folder, even one in which a runner took our own permissions away. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    // If something is still in the way, the second attempt throws.
    await unlockFolders(path);
    await rm(path, { recursive: true, force: true });
  }
}

function whyOdd(stats: { isDirectory(): boolean } | undefined): string {
  if (stats === undefined) return "it leads nowhere";
  return stats.isDirectory() ? "its name means nothing here" : "it is not a folder";
}

async function namesOf(folder: string, aside: Aside): Promise<readonly string[]> {
  try {
    return await readdir(folder).catch((error: unknown) => unlocked(folder, error));
  } catch (error) {
    if (isMissing(error)) return [];
    await aside.put(folder, `it cannot be read (${codeOf(error)})`);
    return [];
  }
}

async function unlocked(folder: string, error: unknown): Promise<readonly string[]> {
  if (codeOf(error) !== "EACCES") throw error;
  await chmod(folder, 0o700);
  return readdir(folder);
}

async function unlockFolders(path: string): Promise<void> {
  await chmod(path, 0o700);
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isDirectory()) await unlockFolders(join(path, entry.name));
}
