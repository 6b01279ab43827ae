import { instant, taskId } from "../domain/ids.ts";
import type { PlannableTask } from "../domain/plan.ts";
import { estimateWith, learnDurations } from "../planner/estimate.ts";
import type { DeclaredTask } from "./task-file.ts";

/**
 * In a file, a task that declares the files it may change is parallel-safe unless it is labelled `exclusive` or
 * `sequential`. Ties are broken by id, so the order of the file never changes the plan.
 */
export function plannableTasks(declared: readonly DeclaredTask[]): readonly PlannableTask[] {
  const model = learnDurations([]);
  const sorted = declared.toSorted((a, b) => compareIds(a.id, b.id));
  return sorted.map((task, at) => ({
    id: taskId(task.id),
    order: at + 1,
    title: task.title,
    claims: task.claims,
    dependsOn: task.dependsOn.map(taskId),
    parallelSafe: true,
    exclusive: task.exclusive,
    priority: task.priority,
    size: task.size,
    parent: undefined,
    runner: task.runner,
    readySince: instant(0),
    estimateMs:
      task.minutes === undefined
        ? estimateWith(model, task).p50Ms
        : Math.max(1, Math.round(task.minutes * 60_000)),
    invalid: task.invalid,
  }));
}

const PARTS = /\d+|\D+/g;

/** `t2` before `t10`. */
function compareIds(a: string, b: string): number {
  const left = a.match(PARTS) ?? [];
  const right = b.match(PARTS) ?? [];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const order = comparePart(left[at] ?? "", right[at] ?? "");
    if (order !== 0) return order;
  }
  return left.length - right.length || compareText(a, b);
}

function comparePart(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)];
  return (Number.isNaN(x) || Number.isNaN(y) ? 0 : x - y) || compareText(a, b);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
