import { sha, type Sha } from "../../domain/ids.ts";
import type { CommitRequest, Workspace, WorkspaceDiff } from "../../ports/git.ts";
import { commitTree } from "./commit-tree.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { snapshotTree } from "./snapshot-tree.ts";

export async function diffWorkspace(git: MirrorGit, workspace: Workspace): Promise<WorkspaceDiff> {
  const tree = await snapshotTree(git, workspace);
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--name-only", workspace.base, tree];
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
    identity: { ...request.author, at: Math.floor(git.options.now() / 1000) },
  });
}

export async function rescueWorkspace(
  git: MirrorGit,
  workspace: Workspace,
): Promise<Sha | undefined> {
  const { paths } = await diffWorkspace(git, workspace);
  if (paths.length === 0) return undefined;
  const rescued = await commitWorkspace(git, workspace, {
    message: `work of ${workspace.id}, saved before it was cleaned up\n`,
    author: { name: "wavetrain", email: "wavetrain@wavetrain.invalid" },
  });
  await git.expect({
    repo: workspace.repo,
    args: ["update-ref", rescueRef(workspace.id), rescued],
  });
  return sha(rescued);
}

// Dots are encoded too: a ref name may neither hold two of them nor end in ".lock".
function rescueRef(id: string): string {
  return `refs/wavetrain/rescue/${encodeURIComponent(id).replaceAll(".", "%2E")}`;
}
