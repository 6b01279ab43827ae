import type { RepoName, Sha } from "../../domain/ids.ts";
import type { Deps } from "../../ports/deps.ts";
import { AppError } from "../../shared/app-error.ts";

/** Brings a commit of an exploration into this server's mirror: another server may have made it, and has put it on GitHub then. */
export async function reachCommit(
  repo: RepoName,
  commit: Sha,
  { git, operator }: Pick<Deps, "git" | "operator">,
): Promise<void> {
  if (operator.store.url === undefined || (await isHere(repo, commit, git))) return;
  await git.fetchCommit(repo, commit);
}

async function isHere(repo: RepoName, commit: Sha, git: Deps["git"]): Promise<boolean> {
  try {
    await git.treeOf(repo, commit);
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return false;
  }
}
