import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RepoName, Sha } from "../../domain/ids.ts";
import { copyIndex } from "./copy-index.ts";
import { initBare } from "./ensure-mirror.ts";
import { runnerGitDir, type Slot } from "./layout.ts";
import type { MirrorGit } from "./mirror-git.ts";

/** Agents that commit by themselves need some identity; the app's own commits never use this one. */
const RUNNER_CONFIG = `[user]\n\tname = wavetrain runner\n\temail = runner@wavetrain.invalid\n`;

/**
 * Makes the repository behind a worktree: one of its own that borrows the mirror's objects. Worktrees of one common
 * repository would share configuration, stash, branches and hooks with their neighbours and with the app, which sends its token there.
 */
export async function makeRepository(
  git: MirrorGit,
  slot: Slot,
  { repo, base }: { readonly repo: RepoName; readonly base: Sha },
): Promise<void> {
  await initBare(git, repo, slot.repository);
  await mkdir(join(slot.repository, "objects", "info"), { recursive: true });
  const objects = join(git.layout.mirror(repo), "objects");
  await writeFile(join(slot.repository, "objects", "info", "alternates"), `${objects}\n`);
  await appendFile(join(slot.repository, "config"), RUNNER_CONFIG);
  // Git adds worktrees to empty folders only: it makes one aside, and `linkWorktree` points at the real one.
  const aside = join(slot.root, "aside");
  await git.expect({
    repo,
    args: ["worktree", "add", "--no-checkout", "--detach", join(aside, "tree"), base],
    env: { GIT_DIR: slot.repository },
  });
  await rm(aside, { recursive: true });
  await linkWorktree(slot);
}

/** Tells the runner's git that the files are as they were checked out. */
export async function giveIndex(slot: Slot): Promise<void> {
  await copyIndex(slot.index, join(runnerGitDir(slot), "index"));
}

/** Joins worktree and repository where they are now, as `git worktree repair` does. */
export async function linkWorktree(slot: Slot): Promise<void> {
  await writeFile(join(slot.tree, ".git"), `gitdir: ${runnerGitDir(slot)}\n`);
  await writeFile(join(runnerGitDir(slot), "gitdir"), `${join(slot.tree, ".git")}\n`);
}
