import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { RepoName, Sha } from "../../../domain/ids.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { lfsFilesOf } from "./lfs-files.ts";

interface PlainFile {
  readonly mode: string;
  readonly blob: string;
  readonly path: string;
}

/**
 * Lists files that are pointers in the tree although they have the very content that the base has as it is: only their attributes
 * made them so. Git would do that or not by how much time passed since it checked them out.
 */
export async function untouchedPlainFiles(
  git: MirrorGit,
  { repo, base }: { readonly repo: RepoName; readonly base: Sha },
  { tree, worktree }: { readonly tree: Sha; readonly worktree: string },
): Promise<readonly PlainFile[]> {
  const files = await lfsFilesOf(git, repo, tree);
  const pointers = new Set(files.flatMap(({ path, pointer }) => (pointer ? [path] : [])));
  if (pointers.size === 0) return [];
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--diff-filter=M", `${base}^{tree}`, tree];
  const before = entriesOf(await git.expect({ repo, args }));
  const changed = before.filter(({ path }) => pointers.has(path));
  const isUntouched = await Promise.all(
    changed.map(async ({ blob, path }) => (await blobOf(join(worktree, path), blob)) === blob),
  );
  return changed.filter((_, at) => isUntouched[at]);
}

/** Reads what the files were before. Two fields follow each other: modes and objects, then the path. */
function entriesOf(answer: string): readonly PlainFile[] {
  const fields = answer.split("\0");
  return fields.flatMap((field, at) => {
    const [, mode, blob] = /^:(100\d{3}) \d{6} ([0-9a-f]+) /.exec(field) ?? [];
    const path = fields[at + 1];
    return mode === undefined || blob === undefined || path === undefined
      ? []
      : [{ mode, blob, path }];
  });
}

/** Computes the id that git would give to the content as it is. */
async function blobOf(file: string, like: string): Promise<string | undefined> {
  const found = await lstat(file).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  const hash = createHash(like.length === 64 ? "sha256" : "sha1");
  hash.update(`blob ${found.size}\0`);
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
