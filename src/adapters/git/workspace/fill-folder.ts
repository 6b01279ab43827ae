import { mkdir, writeFile, copyFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { RepoName, Sha } from "../../../domain/ids.ts";
import { filterConfig } from "../lfs/git-lfs.ts";
import { leftPointers } from "../lfs/left-pointers.ts";
import { runnerGitDir, type WorkspaceFolder } from "../mirror/layout.ts";
import type { MirrorGit } from "../mirror/mirror-git.ts";

// `git init --bare` writes the same. Agents that commit by themselves need some identity; the app's own commits never use this one.
// The filter keeps files of Git LFS from showing as changed. It does nothing where the agent has no git-lfs, and asks no server, which
// also holds for a filter that the machine itself configures: content that the agent's repository does not have stays a pointer.
const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
[user]
\tname = wavetrain runner
\temail = runner@wavetrain.invalid
[filter "lfs"]
\tclean = "if command -v git-lfs >/dev/null; then git-lfs clean -- %f; else cat; fi"
\tsmudge = "if command -v git-lfs >/dev/null; then git-lfs smudge -- %f; else cat; fi"
[lfs]
\turl =
\tskipdownloaderrors = true
`;

/** Makes a folder with a worktree in it into a workspace at the base. */
export async function fillFolder(
  git: MirrorGit,
  folder: WorkspaceFolder,
  at: { readonly repo: RepoName; readonly base: Sha },
): Promise<void> {
  const work = [checkOut(git, folder, at), makeRepository(git, folder, at)];
  // When one of them fails, the other must have ended too before anybody cleans up.
  await Promise.allSettled(work);
  await Promise.all(work);
  await giveIndex(folder);
}

/** Makes every tracked file of the worktree equal to the commit's, and touches no file that is equal already. */
export async function checkOut(
  git: MirrorGit,
  folder: WorkspaceFolder,
  { repo, base }: { readonly repo: RepoName; readonly base: Sha },
): Promise<void> {
  const env = { GIT_WORK_TREE: folder.tree, GIT_INDEX_FILE: folder.index };
  const config = await filterConfig(git, repo);
  await git.expect({ repo, args: ["read-tree", "--reset", "-u", base], env, config });
  const left = await leftPointers(git, folder.tree, { repo, base });
  if (left.length === 0) return;
  await Promise.all(left.map((path) => rm(join(folder.tree, path), { force: true })));
  const input = left.map((path) => `${path}\0`).join("");
  await git.expect({
    repo,
    args: ["checkout-index", "-f", "-u", "-z", "--stdin"],
    env,
    config,
    input,
  });
}

/** Tells the runner's git that the files are as they were checked out. */
export async function giveIndex(folder: WorkspaceFolder): Promise<void> {
  await copyIndex(folder.index, join(runnerGitDir(folder), "index"));
}

/**
 * Copies an index so that it still notices a file that changed right after it was written: git trusts an entry only when it
 * is older than the index file, and a copy would look newer than it is.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from);
  await copyFile(from, to);
  const notNewer = Math.floor(mtimeMs - 1) / 1000;
  await utimes(to, notNewer, notNewer);
}

/** Joins worktree and repository where they are now, as `git worktree repair` does. */
export async function linkWorktree(folder: WorkspaceFolder): Promise<void> {
  await writeFile(join(folder.tree, ".git"), `gitdir: ${runnerGitDir(folder)}\n`);
  await writeFile(join(runnerGitDir(folder), "gitdir"), `${join(folder.tree, ".git")}\n`);
}

/**
 * Makes the repository behind a worktree: one of its own that borrows the mirror's objects. Worktrees of one common
 * repository would share configuration, stash, branches and hooks with their neighbours and with the app, which sends its token there.
 * We write the files by hand, because on a small repository `git init` and `git worktree add` take longer than checking out the files.
 */
async function makeRepository(
  git: MirrorGit,
  folder: WorkspaceFolder,
  { repo, base }: { readonly repo: RepoName; readonly base: Sha },
): Promise<void> {
  const { repository } = folder;
  const worktree = runnerGitDir(folder);
  const folders = [
    join(repository, "objects", "info"),
    join(repository, "refs", "heads"),
    worktree,
  ];
  for (const path of folders) await mkdir(path, { recursive: true });
  const files: Readonly<Record<string, string>> = {
    [join(repository, "HEAD")]: "ref: refs/heads/main\n",
    [join(repository, "config")]: CONFIG,
    [join(repository, "objects", "info", "alternates")]:
      `${join(git.layout.mirror(repo), "objects")}\n`,
    [join(worktree, "HEAD")]: `${base}\n`,
    [join(worktree, "commondir")]: "../..\n",
  };
  await Promise.all(Object.entries(files).map(([path, text]) => writeFile(path, text)));
  await linkWorktree(folder);
}
