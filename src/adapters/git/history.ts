import { sha } from "../../domain/ids.ts";
import type { Git } from "../../ports/git.ts";
import type { MirrorCommand, MirrorGit } from "./mirror-git.ts";
import { hasCommit, readCommit } from "./mirror-objects.ts";
import { gitFailed } from "./run-git.ts";

/** The part of the port that reads commits. */
export function createHistory(
  git: MirrorGit,
): Pick<Git, "treeOf" | "parentsOf" | "mergeBase" | "isAncestor"> {
  return {
    treeOf: async (repo, commit) => (await readCommit(git, repo, commit)).tree,
    parentsOf: async (repo, commit) => (await readCommit(git, repo, commit)).parents,
    mergeBase: async (repo, one, other) => {
      const command: MirrorCommand = { repo, args: ["merge-base", one, other] };
      const result = await git.run(command);
      if (result.code > 1) throw gitFailed(command, result.stderr);
      return result.code === 0 ? sha(result.stdout.trim()) : undefined;
    },
    isAncestor: async (repo, ancestor, descendant) => {
      if (ancestor === descendant) return hasCommit(git, repo, ancestor);
      const args = ["merge-base", "--is-ancestor", ancestor, descendant];
      const command: MirrorCommand = { repo, args };
      const result = await git.run(command);
      if (result.code <= 1) return result.code === 0;
      // Whatever a commit descends from was fetched with it: a commit that is not here is no ancestor.
      if (!(await hasCommit(git, repo, ancestor))) return false;
      throw gitFailed(command, result.stderr);
    },
  };
}
