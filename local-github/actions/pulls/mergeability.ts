import { isAncestor } from "../../git/history.ts";
import { mergedTree } from "../../git/merge.ts";
import type { Mergeability, PullRequest } from "../../model/pull-request.ts";
import { readOwners } from "./code-owners.ts";

/** Works out whether a pull request merges cleanly, unless that is known for these two commits. */
export async function workOutMergeability(pull: PullRequest): Promise<Mergeability> {
  const { baseSha, headSha, repository, mergeability } = pull;
  if (mergeability?.baseSha === baseSha && mergeability.headSha === headSha) return mergeability;
  const [tree, upToDate, owners] = await Promise.all([
    mergedTree(repository.dir, baseSha, headSha),
    isAncestor(repository.dir, baseSha, headSha),
    readOwners(pull),
  ]);
  const mergeable = tree !== undefined;
  const ends = { baseSha, headSha };
  const found = { ...ends, mergeable, rebaseable: mergeable, behind: !upToDate, owners };
  pull.mergeability = found;
  return found;
}
