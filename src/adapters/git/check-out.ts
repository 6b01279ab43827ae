import type { RepoName, Sha } from "../../domain/ids.ts";
import type { Slot } from "./layout.ts";
import type { MirrorGit } from "./mirror-git.ts";

/** Makes every tracked file of the worktree what it is in the commit; touches no file that is so already. */
export async function checkOut(
  git: MirrorGit,
  slot: Slot,
  { repo, base }: { readonly repo: RepoName; readonly base: Sha },
): Promise<void> {
  await git.expect({
    repo,
    args: ["read-tree", "--reset", "-u", base],
    env: { GIT_WORK_TREE: slot.tree, GIT_INDEX_FILE: slot.index },
  });
}
