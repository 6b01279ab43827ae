import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RepoName, Sha } from "../../domain/ids.ts";
import { copyIndex } from "./copy-index.ts";
import { runnerGitDir, type Slot } from "./layout.ts";
import type { MirrorGit } from "./mirror-git.ts";

// What `git init --bare` writes. Agents that commit by themselves need some identity; the app's own commits never use this one.
const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
[user]
\tname = wavetrain runner
\temail = runner@wavetrain.invalid
`;

/**
 * Makes the repository behind a worktree: one of its own that borrows the mirror's objects. Worktrees of one common
 * repository would share configuration, stash, branches and hooks with their neighbours and with the app, which sends its token there.
 * Written by hand: on a small repository `git init` and `git worktree add` take longer than checking out the files.
 */
export async function makeRepository(
  git: MirrorGit,
  slot: Slot,
  { repo, base }: { readonly repo: RepoName; readonly base: Sha },
): Promise<void> {
  const { repository } = slot;
  const worktree = runnerGitDir(slot);
  const folders = [
    join(repository, "objects", "info"),
    join(repository, "refs", "heads"),
    worktree,
  ];
  for (const folder of folders) await mkdir(folder, { recursive: true });
  const files: Readonly<Record<string, string>> = {
    [join(repository, "HEAD")]: "ref: refs/heads/main\n",
    [join(repository, "config")]: CONFIG,
    [join(repository, "objects", "info", "alternates")]:
      `${join(git.layout.mirror(repo), "objects")}\n`,
    [join(worktree, "HEAD")]: `${base}\n`,
    [join(worktree, "commondir")]: "../..\n",
  };
  await Promise.all(Object.entries(files).map(([path, text]) => writeFile(path, text)));
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
