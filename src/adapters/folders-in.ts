import { chmod, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Aside } from "../ports/aside.ts";
import { codeOf } from "./aside.ts";
import { isMissing } from "./git/is-missing.ts";

export interface Listing<T> {
  readonly aside: Aside;
  /** What a name stands for; undefined when it stands for nothing. */
  readonly read: (name: string) => T | undefined;
}

/** File systems keep it at their root; it is nobody's. */
const OF_THE_FILE_SYSTEM = "lost+found";

/** What the folders below one of ours stand for; whatever else lies there is put aside. Nothing when there is no such folder. */
export async function foldersIn<T>(
  folder: string,
  { aside, read }: Listing<T>,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (const name of await namesOf(folder, aside)) {
    if (name === OF_THE_FILE_SYSTEM) continue;
    const path = join(folder, name);
    const stats = await stat(path).catch(() => undefined);
    const meant = stats?.isDirectory() === true ? read(name) : undefined;
    if (meant !== undefined) found.push(meant);
    // What is gone by now was nothing odd: others work here meanwhile.
    else await aside.put(path, whyOdd(stats));
  }
  return found;
}

/** The name that a folder bears in encoded form; undefined for one that the app would never have given. */
export function decodedName(folder: string): string | undefined {
  try {
    const name = decodeURIComponent(folder);
    return encodeURIComponent(name) === folder ? name : undefined;
  } catch {
    // Not encoded by us.
    return undefined;
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
