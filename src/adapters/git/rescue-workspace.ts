import type { Sha } from "../../domain/ids.ts";
import type { Workspace } from "../../ports/git.ts";
import { adoptCommits } from "./adopt-commits.ts";
import { assertInPlace } from "./assert-in-place.ts";
import { commitTree } from "./commit-tree.ts";
import { APP_IDENTITY } from "./git-environment.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { readCommit } from "./mirror-objects.ts";
import { rescueRef } from "./rescue-refs.ts";
import { textOf } from "./setup-template.ts";
import { snapshotTree } from "./snapshot-tree.ts";
import { updateRef } from "./update-ref.ts";

/** Saves the workspace's files as a commit whose parents are the base and what the runner committed by itself. */
export async function rescueWorkspace(
  git: MirrorGit,
  workspace: Workspace,
  { filesAreSafe } = { filesAreSafe: false },
): Promise<Sha | undefined> {
  const { repo, id, base } = workspace;
  const slot = git.layout.slot(repo, id);
  // Killed before it was whole, nobody was let in; killed while it was cleaned, its work is safe.
  if ((await textOf(slot.stage)) === undefined) return undefined;
  await assertInPlace(git.layout, slot);
  const { commits, lost } = await adoptCommits(git, workspace);
  if (filesAreSafe && commits.length === 0 && lost.length === 0) return undefined;
  const tree = await snapshotTree(git, workspace);
  const untouched = await readCommit(git, repo, base);
  if (commits.length === 0 && tree === untouched.tree) return undefined;
  const missing = lost.map((commit) => `\ncould not be saved: ${commit}`).join("");
  const saved = await commitTree(git, {
    repo,
    tree,
    parents: [base, ...commits],
    message: `work of ${id}, saved before it was cleaned up\n${missing}`,
    identity: { ...APP_IDENTITY, at: Math.floor(git.options.now() / 1000) },
  });
  await git.serialize(repo, () => updateRef(git, repo, { ref: rescueRef(id), commit: saved }));
  return saved;
}
