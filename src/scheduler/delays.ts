import type { Instant, TaskId } from "../domain/ids.ts";
import type { Task } from "../domain/task.ts";

/** Waiting tasks that failed a moment ago, with the end of their pause. */
export function delays({
  tasks,
  now,
}: {
  readonly tasks: readonly Task[];
  readonly now: Instant;
}): ReadonlyMap<TaskId, Instant> {
  const delayed = tasks.flatMap(({ id, state, notBefore }) =>
    state === "waiting" && notBefore !== undefined && notBefore > now
      ? [[id, notBefore] as const]
      : [],
  );
  return new Map(delayed);
}
