import { isAncestor } from "../../git/history.ts";
import { mergedTree } from "../../git/merge.ts";
import type { Mergeability, PullRequest } from "../../model/pull-request.ts";

/** Works out whether a pull request merges cleanly, unless that is known for these two commits. */
export async function workOutMergeability(pull: PullRequest): Promise<Mergeability> {
  const { baseSha, headSha, repository, mergeability } = pull;
  if (mergeability?.baseSha === baseSha && mergeability.headSha === headSha) return mergeability;
  const [tree, upToDate] = await Promise.all([
    mergedTree(repository.dir, baseSha, headSha),
    isAncestor(repository.dir, baseSha, headSha),
  ]);
  const mergeable = tree !== undefined;
  const found = { baseSha, headSha, mergeable, rebaseable: mergeable, behind: !upToDate };
  pull.mergeability = found;
  return found;
}
