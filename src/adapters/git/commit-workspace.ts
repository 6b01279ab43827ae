import type { Sha } from "../../domain/ids.ts";
import type { CommitRequest, Workspace, WorkspaceDiff } from "../../ports/git.ts";
import { commitTree } from "./commit-tree.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { snapshotTree } from "./snapshot-tree.ts";

export async function diffWorkspace(
  git: MirrorGit,
  workspace: Workspace,
  against: Sha = workspace.base,
): Promise<WorkspaceDiff> {
  const tree = await snapshotTree(git, workspace);
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--name-only", against, tree];
  const listed = await git.expect({ repo: workspace.repo, args });
  return {
    paths: listed
      .split("\0")
      .filter((path) => path !== "")
      .sort(),
  };
}

export async function commitWorkspace(
  git: MirrorGit,
  workspace: Workspace,
  request: CommitRequest,
): Promise<Sha> {
  return commitTree(git, {
    repo: workspace.repo,
    tree: await snapshotTree(git, workspace),
    parents: [workspace.base],
    message: request.message,
    identity: { ...request.author, at: Math.floor((request.at ?? git.options.now()) / 1000) },
  });
}
