import type { Change } from "./change.ts";
import type { Entry } from "./entry.ts";
import type { Task } from "./task.ts";
import { giveUp, retryLater } from "./retry.ts";
import type { Failure } from "./retry.ts";

export interface ConflictHistory {
  readonly entries: readonly Entry[];
  /** Runs that may work on conflicts of one task. */
  readonly limit: number;
}

/** A conflict is nobody's failure and uses up no attempt; a task that conflicts again and again is given up all the same. */
export function afterConflict(failure: Failure, { entries, limit }: ConflictHistory): Change {
  const before = entries.filter((entry) => isConflictOf(failure.task, entry)).length;
  if (before < limit) return retryLater(failure, before + 1);
  const times = before === 1 ? "1 run" : `${before} runs`;
  return giveUp(failure, `gave up after ${times} worked on a conflict, which is the limit`);
}

/** What was rejected before a candidate could be made of it, since a person asked for the task. */
function isConflictOf({ id, readySince }: Task, entry: Entry): boolean {
  const { task, state, candidate, enqueuedAt } = entry;
  return task === id && state === "rejected" && candidate === undefined && enqueuedAt >= readySince;
}
