import type { Deps, RepoContext } from "../deps.ts";
import { AppError } from "../shared/app-error.ts";
import type { Batch } from "./batch.ts";

/** Whether this host has the batch's commit: another one may have built it, or a mirror was made anew since. */
export async function candidateIsHere(
  { candidate }: Batch,
  { repo }: RepoContext,
  { git }: Deps,
): Promise<boolean> {
  try {
    return (await git.treeOf(repo, candidate.commit)) === candidate.tree;
  } catch (error) {
    if (error instanceof AppError && error.code === "git-failed") return false;
    throw error;
  }
}
