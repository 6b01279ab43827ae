import type { Dirent } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

export interface Untouched {
  readonly files: readonly string[];
  /** When the last of them was written. */
  readonly since: number;
}

/**
 * Deletes everything below `root` but those of the files that nobody touched, and the folders that hold them. Stricter than
 * `git clean`, which passes over whatever is called `.git`: left in a folder, that would be the repository of whoever works
 * there next. And stricter than git's own look at a file, which sees neither its other names nor most of its mode.
 */
export async function pruneTree(root: string, sets: readonly Untouched[]): Promise<void> {
  const known = sinceByFile(sets);
  const folders = foldersOf(known.keys());
  const isUntouched = async (path: string): Promise<boolean> => {
    const since = known.get(path);
    return since !== undefined && (await lstat(join(root, path))).ctimeMs <= since;
  };
  const prune = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    await Promise.all(entries.map((entry) => pruneEntry(entry, join(folder, entry.name))));
  };
  const pruneEntry = async (entry: Dirent, path: string): Promise<void> => {
    if (path.includes("\uFFFD")) throw new Error("a file name that is not UTF-8");
    if (!entry.isDirectory() && (await isUntouched(path))) return;
    if (entry.isDirectory() && folders.has(path)) await prune(path);
    else await rm(join(root, path), { recursive: true, force: true });
  };
  await prune("");
}

/** A file of two sets has to satisfy the first. */
function sinceByFile(sets: readonly Untouched[]): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  for (const { files, since } of sets)
    for (const file of files) if (!known.has(file)) known.set(file, since);
  return known;
}

function foldersOf(files: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const file of files)
    for (let folder = dirname(file); !folders.has(folder); folder = dirname(folder))
      folders.add(folder);
  return folders;
}
