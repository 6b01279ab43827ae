import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { RepoName, Sha } from "../../../domain/ids.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { withoutContent } from "./fetch-content.ts";
import { handlesLfs } from "./git-lfs.ts";
import { lfsFilesOf } from "./lfs-files.ts";

/**
 * Lists files of a worktree that are pointers still, although their content is here by now: git does not touch a file that it finds
 * unchanged. A worktree from before git-lfs was installed has such files.
 */
export async function leftPointers(
  git: MirrorGit,
  worktree: string,
  { repo, base }: { readonly repo: RepoName; readonly base: Sha },
): Promise<readonly string[]> {
  if (!(await handlesLfs(git, repo))) return [];
  const files = await lfsFilesOf(git, repo, base);
  const lacking = new Set(await withoutContent(git, repo, files));
  const isLeft = await Promise.all(
    files.map(async (file) => {
      if (lacking.has(file) || file.pointer === undefined) return false;
      const found = await lstat(join(worktree, file.path)).catch(() => undefined);
      return found?.size === file.length && found.size !== file.pointer.size;
    }),
  );
  return files.filter((_, at) => isLeft[at]).map(({ path }) => path);
}
