import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Those paths that exist below `root` without passing through a symbolic link. */
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

async function kindOf(path: string): Promise<"folder" | "other" | "none"> {
  return lstat(path).then(
    (stats) => (stats.isDirectory() ? "folder" : "other"),
    () => "none",
  );
}
