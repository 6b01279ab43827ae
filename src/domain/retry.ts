import { backoffMs } from "../shared/backoff.ts";
import type { Change } from "./change.ts";
import type { Entry } from "./entry.ts";
import { instant } from "./ids.ts";
import type { Instant } from "./ids.ts";
import type { Task } from "./task.ts";

export interface RetryPolicy {
  /** After this many failed runs a task is given up until a person asks again. */
  readonly attempts: number;
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
}

export interface Failure {
  readonly task: Task;
  /** It says what went wrong, as the beginning of a sentence. */
  readonly what: string;
  readonly policy: RetryPolicy;
  readonly now: Instant;
  /** The caller draws a number from 0 to 1: it spreads retries of tasks that failed together. */
  readonly jitter: number;
}

export interface ConflictHistory {
  readonly entries: readonly Entry[];
  /** This many runs may work on conflicts of one task. */
  readonly limit: number;
}

/** Plans another attempt after a pause, or ends the task when its attempts are used up. */
export function retryOrGiveUp(failure: Failure): Change {
  const { task, what, policy, now, jitter } = failure;
  const failures = task.failures + 1;
  if (failures >= policy.attempts) {
    const times = `${failures} ${failures === 1 ? "attempt" : "attempts"}`;
    return giveUp(failure, `gave up after ${times}`);
  }
  const moved = { kind: "task-moved", task: task.id, from: task.state, at: now } as const;
  const notBefore = instant(now + pauseMs(failures, policy, jitter));
  const reason = `${what}; attempt ${failures + 1} of ${policy.attempts} follows`;
  return { ...moved, to: "waiting", reason, set: { failures, notBefore } };
}

/** Ends the task until a person asks for it again. */
export function giveUp({ task, what, now: at }: Failure, why: string): Change {
  const moved = { kind: "task-moved", task: task.id, from: task.state, at } as const;
  const set = { failures: task.failures + 1 };
  return { ...moved, to: "failed", reason: `${what}; ${why}`, set };
}

/** The world failed, not the task: another attempt follows after a pause that grows with `times`, and none is used up. */
export function retryLater({ task, what, policy, now, jitter }: Failure, times: number): Change {
  const notBefore = instant(now + pauseMs(times, policy, jitter));
  const moved = { kind: "task-moved", task: task.id, from: task.state, at: now } as const;
  return { ...moved, to: "waiting", reason: what, set: { notBefore } };
}

/** A conflict is nobody's failure and uses up no attempt; a task that conflicts again and again is given up all the same. */
export function afterConflict(failure: Failure, { entries, limit }: ConflictHistory): Change {
  const before = entries.filter((entry) => isConflictOf(failure.task, entry)).length;
  if (before < limit) return retryLater(failure, before + 1);
  const times = before === 1 ? "1 run" : `${before} runs`;
  return giveUp(failure, `gave up after ${times} worked on a conflict, which is the limit`);
}

/** The upper half of the pause is jitter. */
function pauseMs(failures: number, policy: RetryPolicy, jitter: number): number {
  const limits = { firstMs: policy.backoffMs, longestMs: policy.maxBackoffMs };
  const full = backoffMs(failures, limits);
  return Math.round(full / 2 + (full / 2) * jitter);
}

/** Tells whether the entry was rejected before a candidate could be made of it, since a person asked for the task. */
function isConflictOf({ id, readySince }: Task, entry: Entry): boolean {
  const { task, state, candidate, enqueuedAt } = entry;
  return task === id && state === "rejected" && candidate === undefined && enqueuedAt >= readySince;
}
