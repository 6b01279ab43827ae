import { latestRuns, latestStatuses, runVerdict, statusVerdict, worst } from "./checks-of.ts";
import type { PullRequest } from "./pull-request.ts";
import { rulesFor, unmetRequirements } from "./requirements.ts";
import type { World } from "./world.ts";

export type MergeState =
  "unknown" | "draft" | "dirty" | "blocked" | "behind" | "unstable" | "clean";

/** Works out REST's `mergeable_state`; in capitals it is GraphQL's `mergeStateStatus`. */
export function mergeState(world: World, pull: PullRequest): MergeState {
  const known = pull.mergeability;
  if (known === null || pull.state === "closed") return "unknown";
  if (!known.mergeable) return "dirty";
  if (pull.draft) return "draft";
  const strict = rulesFor(pull.repository, pull.baseRef).some(
    (rule) => rule.parameters?.["strict_required_status_checks_policy"] === true,
  );
  if (strict && known.behind) return "behind";
  if (unmetRequirements(world, pull).length > 0) return "blocked";
  const verdict = worst([
    ...latestRuns(world, pull.repository, pull.headSha).map(runVerdict),
    ...latestStatuses(world, pull.repository, pull.headSha).map(statusVerdict),
  ]);
  return verdict === "failing" || verdict === "pending" ? "unstable" : "clean";
}
