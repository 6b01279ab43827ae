import type { Sha } from "../../domain/ids.ts";
import type { Workspace } from "../../ports/git.ts";
import { adoptCommits } from "./adopt-commits.ts";
import { commitTree } from "./commit-tree.ts";
import { APP_IDENTITY } from "./git-environment.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { rescueRef } from "./rescue-refs.ts";
import { snapshotTree } from "./snapshot-tree.ts";

/** Saves the workspace's files as a commit whose parents are the base and what the runner committed by itself. */
export async function rescueWorkspace(
  git: MirrorGit,
  workspace: Workspace,
): Promise<Sha | undefined> {
  const { repo, id, base } = workspace;
  const tree = await snapshotTree(git, workspace);
  const { commits, lost } = await adoptCommits(git, workspace);
  const untouched = await git.expect({ repo, args: ["rev-parse", "--verify", `${base}^{tree}`] });
  if (commits.length === 0 && tree === untouched.trim()) return undefined;
  const missing = lost.map((commit) => `\ncould not be saved: ${commit}`).join("");
  const saved = await commitTree(git, {
    repo,
    tree,
    parents: [base, ...commits],
    message: `work of ${id}, saved before it was cleaned up\n${missing}`,
    identity: { ...APP_IDENTITY, at: Math.floor(git.options.now() / 1000) },
  });
  await git.serialize(repo, () => git.expect({ repo, args: ["update-ref", rescueRef(id), saved] }));
  return saved;
}
