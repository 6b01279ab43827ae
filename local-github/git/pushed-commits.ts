import { lastingOutput } from "./git.ts";
import { commitsBetween } from "./history.ts";
import type { Commit } from "./history.ts";

export interface CommitPaths {
  readonly commit: Commit;
  readonly added: readonly string[];
  readonly modified: readonly string[];
  readonly removed: readonly string[];
}

/** GitHub lists at most this many commits in a push event. */
const MAX_COMMITS = 2048;
/** Paths are listed for the last ones only, because each costs a git process. */
const MAX_WITH_PATHS = 20;

export async function pushedCommits(
  dir: string,
  before: string | null,
  after: string,
): Promise<readonly CommitPaths[]> {
  const commits = (await commitsBetween(dir, before, after)).slice(-MAX_COMMITS);
  const withPaths = new Set(commits.slice(-MAX_WITH_PATHS));
  return Promise.all(
    commits.map(async (commit) =>
      withPaths.has(commit)
        ? pathsOf(dir, commit)
        : { commit, added: [], modified: [], removed: [] },
    ),
  );
}

async function pathsOf(dir: string, commit: Commit): Promise<CommitPaths> {
  const text = await lastingOutput(dir, [
    "diff-tree",
    "-r",
    "--root",
    "--no-commit-id",
    "--name-status",
    "--no-renames",
    "-z",
    commit.sha,
  ]);
  const fields = text.split("\0");
  const paths: Record<string, string[]> = { A: [], M: [], D: [] };
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const letter = fields[at] ?? "";
    (paths[letter] ?? paths["M"])?.push(fields[at + 1] ?? "");
  }
  return {
    commit,
    added: paths["A"] ?? [],
    modified: paths["M"] ?? [],
    removed: paths["D"] ?? [],
  };
}
