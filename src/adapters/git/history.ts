import { sha } from "../../domain/ids.ts";
import type { Git } from "../../ports/git.ts";
import { hasCommit } from "./merge-trees.ts";
import type { MirrorCommand, MirrorGit } from "./mirror-git.ts";
import { gitFailed } from "./run-git.ts";

/** The part of the port that reads commits. */
export function createHistory(
  git: MirrorGit,
): Pick<Git, "treeOf" | "parentsOf" | "mergeBase" | "isAncestor"> {
  return {
    treeOf: async (repo, commit) => {
      const args = ["rev-parse", "--verify", `${commit}^{tree}`];
      return sha((await git.expect({ repo, args })).trim());
    },
    parentsOf: async (repo, commit) => {
      const listed = await git.expect({ repo, args: ["log", "-1", "--format=%P", commit] });
      return listed.trim().split(" ").filter(Boolean).map(sha);
    },
    mergeBase: async (repo, one, other) => {
      const command: MirrorCommand = { repo, args: ["merge-base", one, other] };
      const result = await git.run(command);
      if (result.code > 1) throw gitFailed(command, result.stderr);
      return result.code === 0 ? sha(result.stdout.trim()) : undefined;
    },
    isAncestor: async (repo, ancestor, descendant) => {
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
