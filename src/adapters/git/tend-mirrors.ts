import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { RepoName } from "../../domain/ids.ts";
import { AppError } from "../../shared/app-error.ts";
import { listRepos } from "./list-repos.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { findHiddenTrouble, findTrouble } from "./mirror-trouble.ts";
import { remakeMirror } from "./remake-mirror.ts";

/** What an earlier life of the app left half done or damaged: nobody else works here yet. */
export async function tendMirrors(git: MirrorGit): Promise<readonly RepoName[]> {
  const { aside, layout } = git;
  for (const folder of [layout.allSpares, layout.allSetups]) await listRepos(folder, aside);
  const repos = await listRepos(layout.mirrors, aside, ".git");
  for (const repo of repos) {
    await removeLocks(git, repo);
    const trouble = await findTrouble(git, repo);
    // What cannot be done now is done when the mirror is needed.
    if (trouble !== undefined) await remakeMirror(git, repo, trouble).catch(() => false);
  }
  return repos;
}

/** A git that was killed has nobody who takes its locks away, and no other git dares to. */
async function removeLocks(git: MirrorGit, repo: RepoName): Promise<void> {
  const mirror = git.layout.mirror(repo);
  const names = await readdir(mirror, { recursive: true }).catch(() => []);
  const locks = names.filter((name) => name.endsWith(".lock"));
  for (const lock of locks) await git.aside.remove(join(mirror, lock));
}

// Longer than it takes to look through a large mirror, again and again while a remote is away.
const LOOK_EVERY_MS = 60 * 60_000;

export type Tending = <T>(repo: RepoName, work: () => Promise<T>) => Promise<T>;

/** Does the work again where it failed because the mirror is damaged and could be made anew. */
export function createTending(git: MirrorGit): Tending {
  const lookedAt = new Map<RepoName, number>();
  const isRemade = async (repo: RepoName): Promise<boolean> => {
    const now = git.options.now();
    const isSoon = now - (lookedAt.get(repo) ?? -Infinity) < LOOK_EVERY_MS;
    const trouble = await (isSoon ? findTrouble(git, repo) : findHiddenTrouble(git, repo));
    if (!isSoon) lookedAt.set(repo, now);
    return trouble !== undefined && (await remakeMirror(git, repo, trouble));
  };
  return async (repo, work) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "git-failed") throw error;
      const remade = await git.serialize(repo, () => isRemade(repo)).catch(() => false);
      if (!remade) throw error;
      return work();
    }
  };
}
