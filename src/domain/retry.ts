import type { Change } from "./change.ts";
import type { Instant } from "./ids.ts";
import { instant } from "./ids.ts";
import type { Task } from "./task.ts";

export interface RetryPolicy {
  /** Failed runs after which a task is given up until a person asks again. */
  readonly attempts: number;
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
}

export interface Failure {
  readonly task: Task;
  /** What went wrong, as the beginning of a sentence. */
  readonly what: string;
  readonly policy: RetryPolicy;
  readonly now: Instant;
  /** 0 to 1, drawn by the caller: spreads retries that failed together. */
  readonly jitter: number;
}

/** Another attempt after a pause, or the end of the task when its attempts are used up. */
export function retryOrGiveUp(failure: Failure): Change {
  const { task, what, policy, now, jitter } = failure;
  const failures = task.failures + 1;
  if (failures >= policy.attempts) {
    const times = `${failures} ${failures === 1 ? "attempt" : "attempts"}`;
    return giveUp(failure, `gave up after ${times}`);
  }
  const moved = { kind: "task-moved", task: task.id, from: task.state, at: now } as const;
  const notBefore = instant(now + backoffMs(failures, policy, jitter));
  const reason = `${what}; attempt ${failures + 1} of ${policy.attempts} follows`;
  return { ...moved, to: "waiting", reason, set: { failures, notBefore } };
}

/** The end of the task until a person asks for it again. */
export function giveUp({ task, what, now: at }: Failure, why: string): Change {
  const moved = { kind: "task-moved", task: task.id, from: task.state, at } as const;
  const set = { failures: task.failures + 1 };
  return { ...moved, to: "failed", reason: `${what}; ${why}`, set };
}

/** The world failed, not the task: another attempt after a pause that grows with `times`, and none is used up. */
export function retryLater({ task, what, policy, now, jitter }: Failure, times: number): Change {
  const notBefore = instant(now + backoffMs(times, policy, jitter));
  const moved = { kind: "task-moved", task: task.id, from: task.state, at: now } as const;
  return { ...moved, to: "waiting", reason: what, set: { notBefore } };
}

/** More doublings than any cap needs; beyond them a number of milliseconds would stop being one. */
const MOST_DOUBLINGS = 30;

/** Doubles with every failure up to the cap; the upper half is jitter. */
function backoffMs(failures: number, policy: RetryPolicy, jitter: number): number {
  const doublings = Math.min(failures - 1, MOST_DOUBLINGS);
  const full = Math.min(policy.backoffMs * 2 ** doublings, policy.maxBackoffMs);
  return Math.round(full / 2 + (full / 2) * jitter);
}
