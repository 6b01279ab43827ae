import type { User } from "../../model/account.ts";
import { closingReferences } from "../../model/closing-references.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import { announce, stamp } from "../../model/world.ts";
import type { World } from "../../model/world.ts";
import { closeIssue, shut } from "../threads/issues.ts";
import { record } from "../threads/timeline.ts";

/** Records that the pull request is on its base branch; on the default branch this closes the issues it names. */
export function markMerged(
  world: World,
  pull: PullRequest,
  { sha, actor }: { readonly sha: string; readonly actor: User },
): void {
  pull.landing = { at: stamp(world), by: actor, sha };
  shut(world, pull, actor);
  record(world, pull, { actor, what: { event: "merged", commitSha: sha } });
  record(world, pull, { actor, what: { event: "closed", reason: null, commitSha: null } });
  announce(world, { name: "pull_request", action: "closed", pull, sender: actor });
  if (pull.baseRef !== pull.repository.defaultBranch) return;
  for (const issue of closingReferences(world, pull.repository, pull.body ?? "")) {
    closeIssue(world, issue, { actor });
  }
}
