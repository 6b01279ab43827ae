import { sha, type RepoName, type Sha } from "../../../domain/ids.ts";
import type { Git } from "../../../ports/git.ts";
import { gitFailed, type GitResult } from "../run/run-git.ts";
import { hasCommit, readCommit } from "./mirror-commits.ts";
import type { MirrorGit } from "./mirror-git.ts";

/** A commit's folders never change, and only few commits are asked about: the bases of runs and the tips of base branches. */
const MAX_KEPT_COMMITS = 16;

/** Makes the part of the port that reads commits. */
export function createHistory(
  git: MirrorGit,
): Pick<Git, "treeOf" | "parentsOf" | "mergeBase" | "isAncestor"> {
  return {
    treeOf: async (repo, commit) => (await readCommit(git, repo, commit)).tree,
    parentsOf: async (repo, commit) => (await readCommit(git, repo, commit)).parents,
    mergeBase: async (repo, one, other) => {
      const result = await askMergeBase(git, repo, [one, other]);
      return result.code === 0 ? sha(result.stdout.trim()) : undefined;
    },
    isAncestor: async (repo, ancestor, descendant) => {
      if (ancestor === descendant) return hasCommit(git, repo, ancestor);
      if (!(await hasCommit(git, repo, ancestor))) {
        // All ancestors of a commit were fetched with it, so a commit that is not here is no ancestor, unless something was lost.
        await git.expect({ repo, args: ["rev-list", "--quiet", descendant] });
        return false;
      }
      const result = await askMergeBase(git, repo, ["--is-ancestor", ancestor, descendant]);
      return result.code === 0;
    },
  };
}

/** Makes the part of the port that knows a commit's folders. */
export function createDirectories(git: MirrorGit): Pick<Git, "directoriesOf"> {
  const kept = new Map<string, Promise<ReadonlySet<string>>>();

  function directoriesOf(repo: RepoName, commit: Sha): Promise<ReadonlySet<string>> {
    const key = `${repo} ${commit}`;
    const known = kept.get(key) ?? listDirectories(git, repo, commit);
    kept.delete(key);
    kept.set(key, known);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT_COMMITS && oldest !== undefined) kept.delete(oldest);
    known.catch(() => kept.delete(key));
    return known;
  }

  return { directoriesOf };
}

/** Git answers yes (0) or no (1). Where a commit on the way is lost it says no too, and only its complaint shows the difference. */
export async function askMergeBase(
  git: MirrorGit,
  repo: RepoName,
  question: readonly string[],
): Promise<GitResult> {
  const command = { repo, args: ["merge-base", ...question] };
  const result = await git.run(command);
  const isAnswer = result.code === 0 || (result.code === 1 && result.stderr === "");
  if (!isAnswer) throw gitFailed(command, result.stderr);
  return result;
}

async function listDirectories(
  git: MirrorGit,
  repo: RepoName,
  commit: Sha,
): Promise<ReadonlySet<string>> {
  const args = ["ls-tree", "-r", "-d", "-z", "--name-only", "--full-tree", commit];
  const listed = await git.expect({ repo, args });
  return new Set(listed.split("\0").filter(Boolean));
}
