import type { RepoReading } from "../domain/board.ts";
import { isOpenEntry } from "../domain/entry.ts";
import type { Entry } from "../domain/entry.ts";
import { instant } from "../domain/ids.ts";
import type { Instant } from "../domain/ids.ts";
import type { Task } from "../domain/task.ts";

export interface TrainPause {
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
}

/** More than any pause needs. */
const MOST_DOUBLINGS = 30;

interface Pausing {
  readonly now: Instant;
  readonly reading: Pick<RepoReading, "pulls">;
  readonly tasks: readonly Task[];
  readonly entries: readonly Entry[];
  readonly pause: TrainPause;
}

/**
 * An entry that went back to the queue (no network, a base that moved) is not tried again at once: what sent it back may last.
 * Others may pass it meanwhile.
 */
export function returnedUntil(entry: Entry, { pause }: Pausing): Instant {
  const returned = entry.state === "queued" && entry.changedAt > entry.enqueuedAt;
  return returned ? instant(entry.changedAt + pause.backoffMs) : entry.changedAt;
}

/** GitHub refused to merge this approved head, e.g. because a check of its own is still missing: ever longer pauses. */
export function refusedUntil(task: Task, { entries, reading, pause }: Pausing): number {
  const head = reading.pulls.find((pull) => pull.number === task.pull)?.head;
  const refusals = entries.filter(
    (entry) => entry.task === task.id && entry.head === head && entry.state === "rejected",
  );
  const last = refusals.at(-1);
  if (last === undefined) return -Infinity;
  const doublings = Math.min(refusals.length - 1, MOST_DOUBLINGS);
  return last.changedAt + Math.min(pause.backoffMs * 2 ** doublings, pause.maxBackoffMs);
}

/** The first pause that ends after now. */
export function pauseEnd(pausing: Pausing): Instant | undefined {
  const open = pausing.entries.filter((entry) => isOpenEntry(entry.state));
  const ends = [
    ...open.map((entry) => returnedUntil(entry, pausing)),
    ...pausing.tasks
      .filter((task) => task.state === "review")
      .map((task) => refusedUntil(task, pausing)),
  ].filter((end) => end > pausing.now);
  return ends.length === 0 ? undefined : instant(Math.min(...ends));
}
