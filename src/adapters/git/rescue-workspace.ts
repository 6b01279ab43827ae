import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isSha, type RepoName, type Sha } from "../../domain/ids.ts";
import type { Workspace } from "../../ports/git.ts";
import { AppError } from "../../shared/app-error.ts";
import { adoptCommits, type Adopted } from "./adopt-commits.ts";
import { assertInPlace } from "./assert-in-place.ts";
import { commitTree } from "./commit-tree.ts";
import { APP_IDENTITY } from "./git-environment.ts";
import { runnerGitDir, type Slot } from "./layout.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { findCommit, readCommit } from "./mirror-objects.ts";
import { rescueRef } from "./rescue-refs.ts";
import { snapshotTree } from "./snapshot-tree.ts";
import { updateRef } from "./update-ref.ts";

interface RescueOptions {
  readonly filesAreSafe?: boolean;
  readonly wasEntered?: boolean;
}

/** Saves the workspace's files as a commit whose parents are the base and what the runner committed by itself. */
export async function rescueWorkspace(
  git: MirrorGit,
  given: Workspace,
  { filesAreSafe, wasEntered }: RescueOptions = {},
): Promise<Sha | undefined> {
  const { repo, id } = given;
  const slot = git.layout.slot(repo, id);
  if (wasEntered !== true && !(await isWhole(slot))) return undefined;
  await assertInPlace(git.layout, slot);
  const workspace = { ...given, base: await baseOf(git, given, slot) };
  const { commits, lost } = await adoptCommits(git, workspace);
  if (filesAreSafe === true && commits.length === 0 && lost.length === 0) return undefined;
  return saveFiles(git, workspace, { commits, lost });
}

async function saveFiles(
  git: MirrorGit,
  workspace: Workspace,
  { commits, lost }: Adopted,
): Promise<Sha | undefined> {
  const { repo, id, base } = workspace;
  const tree = await snapshotTree(git, workspace);
  const untouched = await readCommit(git, repo, base);
  if (commits.length === 0 && tree === untouched.tree) return undefined;
  const saved = await commitTree(git, {
    repo,
    tree,
    parents: [base, ...commits],
    message: messageOf(id, lost),
    identity: { ...APP_IDENTITY, at: Math.floor(git.options.now() / 1000) },
  });
  await git.serialize(repo, () => keepRescue(git, repo, { id, saved }));
  return saved;
}

function messageOf(id: string, lost: readonly Sha[]): string {
  const missing = lost.map((commit) => `\ncould not be saved: ${commit}`).join("");
  return `work of ${id}, saved before it was cleaned up\n${missing}`;
}

/** Killed before it was whole, nobody was let in; killed while it was cleaned, its work is safe. */
async function isWhole(slot: Slot): Promise<boolean> {
  return (await textOf(slot.stage)) !== undefined;
}

/** Our note of it, or what the worktree was checked out from, where the note was spoilt. */
async function baseOf(git: MirrorGit, { repo, base }: Workspace, slot: Slot): Promise<Sha> {
  const head = (await textOf(join(runnerGitDir(slot), "HEAD")))?.trim() ?? "";
  for (const known of [base, head])
    if (isSha(known) && (await findCommit(git, repo, known)) !== undefined) return known;
  throw new AppError("git-failed", "nobody knows what its work began from");
}

/** A new store counts attempts anew: work that was saved under the same name before stays, under another. */
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
