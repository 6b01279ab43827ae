import type { TaskId } from "../domain/ids.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";

/** Tasks that a run was begun for since they were last asked for. */
export function begunTasks(tasks: readonly Task[], runs: readonly Run[]): ReadonlySet<TaskId> {
  const since = new Map(tasks.map(({ id, readySince }) => [id, readySince]));
  return new Set(
    runs.flatMap(({ task, queuedAt }) => (queuedAt >= (since.get(task) ?? Infinity) ? task : [])),
  );
}
