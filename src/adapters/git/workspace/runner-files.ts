import { lstat, readFile, chmod, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Returns those of the paths that exist below `root` without passing through a symbolic link. */
export async function plainPaths(
  root: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const folders = new Map<string, Promise<boolean>>([[".", Promise.resolve(true)]]);
  const isPlainFolder = (folder: string): Promise<boolean> => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const answer = isPlainFolder(dirname(folder)).then(
      async (above) => above && (await kindOf(join(root, folder))) === "folder",
    );
    folders.set(folder, answer);
    return answer;
  };
  const found = await Promise.all(
    paths.map(
      async (path) =>
        (await isPlainFolder(dirname(path))) && (await kindOf(join(root, path))) !== "none",
    ),
  );
  return paths.filter((_path, index) => found[index]);
}

/** Compares plain files only and returns false for anything else: reading a pipe that a runner left would never end. */
export async function hasSameContent(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => lstat(path).catch(() => undefined)));
  if (a?.isFile() !== true || b?.isFile() !== true || a.size !== b.size) return false;
  const [first, second] = await Promise.all([readFile(one), readFile(other)]);
  return first.equals(second);
}

/** Makes way for git: deletes pipes, sockets and devices, which hold no work, and opens what is closed to its owner. */
export async function makeReadable(path: string): Promise<void> {
  const stats = await lstat(path);
  if (stats.isDirectory()) {
    if ((stats.mode & 0o700) !== 0o700) await chmod(path, (stats.mode & 0o777) | 0o700);
    // Names that are not UTF-8 come out changed, so they lead nowhere.
    const below = (await readdir(path)).filter((name) => !name.includes("\uFFFD"));
    await Promise.all(below.map((name) => makeReadable(join(path, name))));
  } else if (stats.isFile()) {
    if ((stats.mode & 0o400) === 0) await chmod(path, (stats.mode & 0o777) | 0o400);
  } else if (!stats.isSymbolicLink()) await rm(path, { force: true });
}

async function kindOf(path: string): Promise<"folder" | "other" | "none"> {
  return lstat(path).then(
    (stats) => (stats.isDirectory() ? "folder" : "other"),
    () => "none",
  );
}
