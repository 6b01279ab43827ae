import type { Entry } from "../../domain/entry.ts";
import type { Instant, TaskId } from "../../domain/ids.ts";
import type { Priority } from "../../domain/plan.ts";
import type { Task } from "../../domain/task.ts";

/** Waiting this long counts as much as one step of priority, so nothing waits for ever. */
const AGEING_MS = 30 * 60_000;

const RANK: Readonly<Record<Priority, number>> = { high: 2, normal: 1, low: 0 };

interface Waiting {
  readonly entry: Entry;
  readonly task: Task;
}

/** Sorts queued entries into the order in which they go: dependencies first, then priority with ageing, then age. */
export function trainOrder(waiting: readonly Waiting[], now: Instant): readonly Waiting[] {
  const left = waiting.toSorted(
    (a, b) =>
      rankOf(b, now) - rankOf(a, now) ||
      a.entry.enqueuedAt - b.entry.enqueuedAt ||
      (a.entry.pull ?? 0) - (b.entry.pull ?? 0) ||
      (a.entry.id < b.entry.id ? -1 : 1),
  );
  const ordered: Waiting[] = [];
  while (left.length > 0) {
    const behind = new Set(left.map(({ task }) => task.id));
    // Only in a cycle, which is never planned, every entry depends on another: then the first goes.
    const free = left.findIndex(({ task }) => !dependsOnAny(task, behind));
    ordered.push(...left.splice(Math.max(free, 0), 1));
  }
  return ordered;
}

function rankOf({ entry, task }: Waiting, now: Instant): number {
  return RANK[task.spec.priority] + Math.floor((now - entry.enqueuedAt) / AGEING_MS);
}

function dependsOnAny(task: Task, others: ReadonlySet<TaskId>): boolean {
  return task.spec.dependsOn.some((id) => id !== task.id && others.has(id));
}
