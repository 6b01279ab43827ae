import type { Sha } from "../../domain/ids.ts";
import type { CommitRequest, DiffOptions, Workspace, WorkspaceDiff } from "../../ports/git.ts";
import { changedPaths } from "./changed-paths.ts";
import { commitTree } from "./commit-tree.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { snapshotTree } from "./snapshot-tree.ts";

export async function diffWorkspace(
  git: MirrorGit,
  workspace: Workspace,
  { against = workspace.base, tree: seen }: DiffOptions = {},
): Promise<WorkspaceDiff> {
  const tree = seen ?? (await snapshotTree(git, workspace));
  return { paths: await changedPaths(git, workspace.repo, { against, tree }), tree };
}

export async function commitWorkspace(
  git: MirrorGit,
  workspace: Workspace,
  request: CommitRequest,
): Promise<Sha> {
  return commitTree(git, {
    repo: workspace.repo,
    tree: request.tree ?? (await snapshotTree(git, workspace)),
    parents: [workspace.base],
    message: request.message,
    identity: { ...request.author, at: Math.floor((request.at ?? git.options.now()) / 1000) },
  });
}
