import type { PullRequest } from "../../domain/board.ts";
import { namesOf } from "../../domain/entry.ts";
import { instant } from "../../domain/ids.ts";
import type { Instant } from "../../domain/ids.ts";
import type { RequiredCheck } from "../../ports/github.ts";
import { stateOfCheck } from "../queue/check-state.ts";
import type { TrainPolicy } from "../queue/policy.ts";
import { LOOK_AT_CHECKS_EVERY_MS } from "../queue/snapshot.ts";
import type { TrainSnapshot } from "../queue/snapshot.ts";

export interface Obstacle {
  /** A sentence says what GitHub would refuse to merge it for. */
  readonly reason: string;
  /** It may pass without anybody's doing. */
  readonly passes: boolean;
}

/** Says what the rules of the base branch still ask of an approved pull request, as far as that can be read. */
export function findObstacle(
  pull: PullRequest,
  { policy, readiness, base }: TrainSnapshot,
): Obstacle | undefined {
  if (policy.forbids !== undefined) {
    const reason = `#${pull.number} is approved, but ${base} ${FORBIDDEN[policy.forbids]}`;
    return { reason, passes: false };
  }
  if (!policy.asksForChecks) return undefined;
  const ready = readiness.get(pull.number);
  // A check that nobody has looked at yet is not known to be there.
  const facts = ready?.head === pull.head ? ready.checks : [];
  const states = policy.required.map((check) => stateOfCheck(check, facts));
  const failed = policy.required.filter((_, at) => states[at] === "failure");
  if (failed.length > 0) {
    return { reason: `#${pull.number} has failed ${named(failed)}`, passes: false };
  }
  const missing = policy.required.filter((_, at) => states[at] !== "success");
  if (missing.length > 0) return { reason: waitsFor(missing), passes: true };
  if (ready?.behind !== true) return undefined;
  const reason = `#${pull.number} is behind ${base}, which takes only branches that are up to date: update its branch and approve it again`;
  return { reason, passes: false };
}

const FORBIDDEN: Readonly<Record<NonNullable<TrainPolicy["forbids"]>, string>> = {
  unsigned: "takes signed commits only, and the app does not sign yet: merge it by hand",
  "merge-commit": "wants a linear history: set merge to squash or rebase in .github/wavetrain.yml",
};

/** Returns when the checks are looked at again without any news. */
export function nextLookAtChecks(snapshot: TrainSnapshot): Instant | undefined {
  const { reading, readiness, now } = snapshot;
  const looked = reading.pulls.filter(({ number }) => readiness.has(number));
  const isWaiting = looked.some((pull) => findObstacle(pull, snapshot)?.passes === true);
  return isWaiting ? instant(now + LOOK_AT_CHECKS_EVERY_MS) : undefined;
}

function waitsFor(checks: readonly RequiredCheck[]): string {
  return `waits for ${named(checks)} on the pull request`;
}

function named(checks: readonly RequiredCheck[]): string {
  // Two rules may ask for the same check.
  const names = [...new Set(checks.map(({ name }) => name))];
  return `the required check${names.length === 1 ? "" : "s"} ${namesOf(names)}`;
}
