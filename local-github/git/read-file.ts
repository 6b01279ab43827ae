import { gitBytes, tryGit } from "./git.ts";

export interface StoredFile {
  readonly sha: string;
  readonly content: Buffer;
}

/** Reads a file at a commit; answers undefined when there is none at this path. */
export async function readFile(
  dir: string,
  rev: string,
  path: string,
): Promise<StoredFile | undefined> {
  const answer = await tryGit(dir, ["ls-tree", "-z", rev, "--", path]);
  const [, type, sha] = answer.stdout.split(/[ \t\0]/);
  if (answer.exitCode !== 0 || type !== "blob" || sha === undefined) return undefined;
  return { sha, content: await gitBytes(dir, ["cat-file", "blob", sha]) };
}
