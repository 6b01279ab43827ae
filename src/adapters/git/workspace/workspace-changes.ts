import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Sha, RepoName } from "../../../domain/ids.ts";
import type { CommitRequest, DiffOptions, Workspace, WorkspaceDiff } from "../../../ports/git.ts";
import { commitTree, readCommit } from "../mirror/mirror-commits.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { lengthUpTo, type GitProgram } from "../run/conversations.ts";
import { gitFailed } from "../run/run-git.ts";
import { snapshotTree } from "./snapshot-tree.ts";

/** Git repeats a line that names no object, after all that comes before it. Nobody can guess this one, since a path may hold any text. */
const END = `end-${randomUUID()}\n`;

const DIFF_TREE: GitProgram = {
  args: ["diff-tree", "--stdin", "-r", "-z", "--no-renames", "--name-only"],
  lengthOf: lengthUpTo(END),
};

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
  const author = request.author ?? (await git.identity(workspace.repo));
  return commitTree(git, {
    repo: workspace.repo,
    tree: request.tree ?? (await snapshotTree(git, workspace)),
    parents: [workspace.base],
    message: request.message,
    identity: { ...author, at: Math.floor((request.at ?? git.options.now()) / 1000) },
  });
}

/** Lists paths that the base does not have, a whole folder as one path: either those that git ignores, or all of them. */
export async function listUntracked(
  git: MirrorGit,
  { repo, place }: Workspace,
  which: "ignored" | "all",
): Promise<readonly string[]> {
  const folder = git.layout.workspaceFolder(repo, place);
  const ignored = which === "ignored" ? ["--ignored", "--exclude-standard"] : [];
  const listed = await git.expect({
    repo,
    args: ["ls-files", "-z", "--others", "--directory", "--no-empty-directory", ...ignored],
    env: { GIT_WORK_TREE: folder.tree, GIT_INDEX_FILE: folder.index },
  });
  return listed
    .split("\0")
    .map((path) => path.replace(/\/$/, ""))
    .filter((path) => path !== "" && path !== ".git");
}

export async function removeUntracked(git: MirrorGit, workspace: Workspace): Promise<void> {
  const paths = await listUntracked(git, workspace, "all");
  const remove = (path: string): Promise<void> =>
    rm(join(workspace.path, path), { recursive: true, force: true });
  await Promise.all(paths.map(remove));
}

/** Lists every path that differs between the commit and the tree, sorted; a rename counts with both of its paths. */
async function changedPaths(
  git: MirrorGit,
  repo: RepoName,
  { against, tree }: { readonly against: Sha; readonly tree: Sha },
): Promise<readonly string[]> {
  const question = `${(await readCommit(git, repo, against)).tree} ${tree}\n`;
  const answer = (await git.ask(repo, DIFF_TREE, `${question}${END}`)).toString("utf8");
  // Without this check a tree that is missing would pass for one without a difference.
  if (!answer.startsWith(question)) throw gitFailed(DIFF_TREE, `${tree} is not in the mirror`);
  return answer.slice(question.length, -END.length).split("\0").filter(Boolean).sort();
}
