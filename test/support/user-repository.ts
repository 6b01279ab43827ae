import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";

export type UserGit = (...args: readonly string[]) => Promise<string>;

/** Git as a user has it in a repository of theirs. */
export function userGit(repo: string): UserGit {
  return async (...args) => {
    const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    return (await execa("git", [...identity, ...args], { cwd: repo })).stdout;
  };
}

/** Refs, HEAD, index and working tree, byte for byte. */
export async function imageOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const image = files.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path, await readFile(path, "base64")] as const;
  });
  return Object.fromEntries(await Promise.all(image));
}
