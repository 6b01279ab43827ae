import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isSha, type RepoName, type Sha } from "../../../domain/ids.ts";
import type { Workspace } from "../../../ports/git.ts";
import { AppError } from "../../../shared/app-error.ts";
import { runnerGitDir, type WorkspaceFolder } from "../mirror/layout.ts";
import { commitTree, findCommit, readCommit } from "../mirror/mirror-commits.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";
import { updateRef } from "../mirror/refs.ts";
import { APP_IDENTITY } from "../run/git-environment.ts";
import { snapshotTree } from "../workspace/snapshot-tree.ts";
import { assertInPlace, ownerOf } from "../workspace/workspace-places.ts";
import { adoptCommits, type Adopted } from "./adopt-commits.ts";
import { LAYING } from "./lay-work.ts";
import { rescueRef } from "./rescue-refs.ts";

interface RescueOptions {
  readonly filesAreSafe?: boolean;
  readonly wasEntered?: boolean;
  readonly tree?: Sha | undefined;
}

/** Saves the workspace's files as a commit whose parents are the base and the commits that the runner made by itself. */
export async function rescueWorkspace(
  git: MirrorGit,
  given: Workspace,
  { filesAreSafe, wasEntered, tree }: RescueOptions = {},
): Promise<Sha | undefined> {
  const { repo, id, place } = given;
  const folder = git.layout.workspaceFolder(repo, place);
  if (!(await holdsWork(folder, { id, wasEntered: wasEntered === true }))) return undefined;
  await assertInPlace(git.layout, folder);
  const workspace = { ...given, base: await baseOf(git, given, folder) };
  const { commits, lost } = await adoptCommits(git, workspace);
  if (filesAreSafe === true && commits.length === 0 && lost.length === 0) return undefined;
  const saved = tree ?? (await snapshotTree(git, workspace));
  return saveFiles(git, workspace, { commits, lost, tree: saved });
}

async function saveFiles(
  git: MirrorGit,
  workspace: Workspace,
  { commits, lost, tree }: Adopted & { readonly tree: Sha },
): Promise<Sha | undefined> {
  const { repo, id, base } = workspace;
  const untouched = await readCommit(git, repo, base);
  if (commits.length === 0 && tree === untouched.tree) return undefined;
  const app = await git.identity(repo).catch(() => APP_IDENTITY);
  const saved = await commitTree(git, {
    repo,
    tree,
    parents: [base, ...commits],
    message: messageOf(id, lost),
    identity: { ...app, at: Math.floor(git.options.now() / 1000) },
  });
  await git.serialize(repo, () => keepRescue(git, repo, { id, saved }));
  return saved;
}

function messageOf(id: string, lost: readonly Sha[]): string {
  const missing = lost.map((commit) => `\ncould not be saved: ${commit}`).join("");
  return `work of ${id}, saved before it was cleaned up\n${missing}`;
}

async function holdsWork(
  folder: WorkspaceFolder,
  { id, wasEntered }: { readonly id: string; readonly wasEntered: boolean },
): Promise<boolean> {
  // Its folder is another one's by now, so nothing of its own is left in it.
  if (((await ownerOf(folder)) ?? id) !== id) return false;
  if (!wasEntered && !(await isWhole(folder))) return false;
  return (await textOf(folder.work)) !== LAYING;
}

/** A workspace without the note has nothing to save: nobody was let in before it was whole, and its work was safe before it was cleaned. */
async function isWhole(folder: WorkspaceFolder): Promise<boolean> {
  return (await textOf(folder.stage)) !== undefined;
}

/** Finds the base in our note, or in the commit that the worktree was checked out from when the note is spoilt. */
async function baseOf(
  git: MirrorGit,
  { repo, base }: Workspace,
  folder: WorkspaceFolder,
): Promise<Sha> {
  const head = (await textOf(join(runnerGitDir(folder), "HEAD")))?.trim() ?? "";
  for (const known of [base, head])
    if (isSha(known) && (await findCommit(git, repo, known)) !== undefined) return known;
  throw new AppError("git-failed", "nobody knows what its work began from");
}

/** Keeps earlier work of the same name under another name: a new store counts attempts anew, so names come again. */
async function keepRescue(
  git: MirrorGit,
  repo: RepoName,
  { id, saved }: { readonly id: string; readonly saved: Sha },
): Promise<void> {
  const ref = rescueRef(id);
  const before = (await findCommit(git, repo, ref))?.commit;
  if (before !== undefined && before !== saved)
    await updateRef(git, repo, {
      ref: rescueRef(`${id}.before-${saved.slice(0, 8)}`),
      commit: before,
    });
  await updateRef(git, repo, { ref, commit: saved });
}

function textOf(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}
