import { changedFiles } from "../../git/diff.ts";
import { commitsBetween, mergeBase } from "../../git/history.ts";
import type { DiffStats, PullRequest } from "../../model/pull-request.ts";

/** Counts what a pull request changes since it left its base branch. */
export async function readDiffStats({
  repository,
  baseSha,
  headSha,
}: Pick<PullRequest, "repository" | "baseSha" | "headSha">): Promise<DiffStats> {
  const [commits, from] = await Promise.all([
    commitsBetween(repository.dir, baseSha, headSha),
    mergeBase(repository.dir, baseSha, headSha),
  ]);
  const files = await changedFiles(repository.dir, from ?? baseSha, headSha);
  return {
    commits: commits.length,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changedFiles: files.length,
  };
}
