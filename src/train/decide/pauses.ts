import type { PullRequest, RepoReading } from "../../domain/board.ts";
import type { Entry } from "../../domain/entry.ts";
import { instant, soonest } from "../../domain/ids.ts";
import type { Instant } from "../../domain/ids.ts";
import { approversOf } from "../../domain/pull-review.ts";
import type { RetryPolicy } from "../../domain/retry.ts";
import type { Task } from "../../domain/task.ts";
import { backoffMs } from "../../shared/backoff.ts";
import { FOR_WORKFLOWS, circumstances } from "../queue/policy.ts";
import type { TrainPolicy } from "../queue/policy.ts";
import type { BaseTip } from "../queue/snapshot.ts";

interface Pausing {
  readonly now: Instant;
  readonly reading: Pick<RepoReading, "pulls">;
  readonly tasks: readonly Task[];
  readonly entries: readonly Entry[];
  readonly retry: Pick<RetryPolicy, "backoffMs" | "maxBackoffMs">;
  readonly mayWriteWorkflows?: boolean | undefined;
  readonly policy: TrainPolicy;
  readonly tip: Pick<BaseTip, "commit"> | undefined;
}

/** A condition that nobody can read, such as an open conversation, may have changed by then. */
const ASK_AGAIN_AFTER_MS = 60 * 60_000;

/** Tells whether the pause of an entry that went back to the queue is over. Others may pass the entry meanwhile. */
export function isDue(entry: Entry, now: Instant): boolean {
  return entry.notBefore === undefined || entry.notBefore <= now;
}

/**
 * Says until when this approved head is not tried again after GitHub refused it. The same refusal twice in a row lasts until the base, a
 * rule or the approvals change. What GitHub's queue sent back is tried again after pauses that grow.
 */
export function refusedUntil(task: Task, pausing: Pausing): number {
  const { entries, reading, retry, mayWriteWorkflows } = pausing;
  const pull = reading.pulls.find(({ number }) => number === task.pull);
  const refusals = entries.filter(
    (entry) =>
      entry.task === task.id &&
      entry.state === "rejected" &&
      (pull === undefined || entry.head === pull.head),
  );
  const last = refusals.at(-1);
  if (last === undefined) return -Infinity;
  const workflows = last.refusedUnder === FOR_WORKFLOWS;
  if (workflows && mayWriteWorkflows !== true) return Infinity;
  if (!workflows && last.refusedUnder !== undefined) {
    return heldUntil(last, refusals, { pull, pausing });
  }
  const limits = { firstMs: retry.backoffMs, longestMs: retry.maxBackoffMs };
  return last.changedAt + backoffMs(refusals.length, limits);
}

function heldUntil(
  last: Entry,
  refusals: readonly Entry[],
  { pull, pausing }: { readonly pull: PullRequest | undefined; readonly pausing: Pausing },
): number {
  const { policy, tip, retry } = pausing;
  const approvedBy = pull === undefined ? last.approvedBy : approversOf(pull, policy);
  const now = circumstances({ base: tip?.commit, policy, approvedBy });
  const same = refusals.filter(({ refusedUnder }) => refusedUnder === last.refusedUnder);
  const lasts = last.refusedUnder === now && same.length > 1;
  return last.changedAt + (lasts ? ASK_AGAIN_AFTER_MS : retry.backoffMs);
}

/** Returns the end of the first pause that ends after now. */
export function pauseEnd(pausing: Pausing): Instant | undefined {
  const ends = [
    ...pausing.entries.flatMap(({ state, notBefore }) =>
      state === "queued" && notBefore !== undefined ? [notBefore] : [],
    ),
    ...pausing.tasks
      .filter((task) => task.state === "review")
      .map((task) => refusedUntil(task, pausing)),
  ].filter((end) => end > pausing.now && end !== Infinity);
  return soonest(...ends.map(instant));
}
