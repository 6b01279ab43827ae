import { sha } from "../../domain/ids.ts";
import type { RepoName } from "../../domain/ids.ts";
import type { Git } from "../../ports/git.ts";
import type { MirrorGit } from "./mirror-git.ts";
import { hasCommit, readCommit } from "./mirror-objects.ts";
import { gitFailed } from "./run-git.ts";
import type { GitResult } from "./run-git.ts";

/** The part of the port that reads commits. */
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
        // Whatever a commit descends from was fetched with it: what is not here is no ancestor, unless something was lost.
        await git.expect({ repo, args: ["rev-list", "--quiet", descendant] });
        return false;
      }
      const result = await askMergeBase(git, repo, ["--is-ancestor", ancestor, descendant]);
      return result.code === 0;
    },
  };
}

/** Yes (0) or no (1). Git says no as well where a commit on the way is lost, and only complains besides. */
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
