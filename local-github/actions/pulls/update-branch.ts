import { mergedTree } from "../../git/merge.ts";
import { oneAtATime } from "../../git/one-at-a-time.ts";
import { writeCommit } from "../../git/write-commit.ts";
import type { User } from "../../model/account.ts";
import { Problem } from "../../model/problem.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import type { World } from "../../model/world.ts";
import { changeRefsNow } from "./change-refs.ts";
import { workOutMergeability } from "./mergeability.ts";
import { GITHUB_COMMITTER, signatureOf } from "./signature.ts";

/** Merges the base branch into the head of a pull request. */
export async function updateBranch(
  world: World,
  pull: PullRequest,
  { expectedSha, actor }: { readonly expectedSha?: string; readonly actor: User },
): Promise<void> {
  await oneAtATime(pull.repository, async () => {
    if (expectedSha !== undefined && expectedSha !== pull.headSha) {
      throw new Problem(422, `expected head sha didn’t match current head ref.`);
    }
    // This is refused even where the fork's owner lets maintainers write: an App is not a maintainer.
    if (pull.headRepository !== pull.repository) {
      throw new Problem(403, "Resource not accessible by integration");
    }
    const { behind } = await workOutMergeability(pull);
    if (!behind) throw new Problem(422, "There are no new commits on the base branch.");
    const { dir } = pull.repository;
    const tree = await mergedTree(dir, pull.headSha, pull.baseSha);
    if (tree === undefined) throw new Problem(422, "merge conflict between base and head");
    const date = new Date(world.now()).toISOString();
    const after = await writeCommit(dir, {
      tree,
      parents: [pull.headSha, pull.baseSha],
      message: `Merge branch '${pull.baseRef}' into ${pull.headRef}`,
      author: signatureOf(actor, date),
      committer: { ...GITHUB_COMMITTER, date },
    });
    const changes = [{ name: `refs/heads/${pull.headRef}`, before: pull.headSha, after }];
    await changeRefsNow(world, pull.repository, { changes, actor });
  });
}
