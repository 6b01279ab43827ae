import type { RepoReading } from "../../domain/board.ts";
import type { Entry } from "../../domain/entry.ts";
import { isWorkflowRefusal } from "../../domain/failure.ts";
import { instant, soonest } from "../../domain/ids.ts";
import type { Instant } from "../../domain/ids.ts";
import type { RetryPolicy } from "../../domain/retry.ts";
import type { Task } from "../../domain/task.ts";
import { backoffMs } from "../../shared/backoff.ts";

interface Pausing {
  readonly now: Instant;
  readonly reading: Pick<RepoReading, "pulls">;
  readonly tasks: readonly Task[];
  readonly entries: readonly Entry[];
  readonly retry: Pick<RetryPolicy, "backoffMs" | "maxBackoffMs">;
}

/** Tells whether the pause of an entry that went back to the queue is over. Others may pass the entry meanwhile. */
export function isDue(entry: Entry, now: Instant): boolean {
  return entry.notBefore === undefined || entry.notBefore <= now;
}

/** Pauses longer after each time that GitHub refused to merge this approved head, for example because a check of its own is missing. */
export function refusedUntil(task: Task, { entries, reading, retry }: Pausing): number {
  const pull = reading.pulls.find(({ number }) => number === task.pull);
  const refusals = entries.filter(
    (entry) =>
      entry.task === task.id &&
      entry.state === "rejected" &&
      (pull === undefined || entry.head === pull.head),
  );
  const last = refusals.at(-1);
  if (last === undefined) return -Infinity;
  if (isWorkflowRefusal(last.reason)) return Infinity;
  const limits = { firstMs: retry.backoffMs, longestMs: retry.maxBackoffMs };
  return last.changedAt + backoffMs(refusals.length, limits);
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
