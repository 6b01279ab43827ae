import { holdsClaims } from "../domain/task.ts";
import type { Task } from "../domain/task.ts";
import { numberWaves } from "../planner/waves/assign-waves.ts";
import type { NumberedWaves } from "../planner/waves/assign-waves.ts";
import type { Backlog } from "../planner/waves/backlog.ts";

/** Everything that has a wave has it from here: the board, comments, status, explanations and plans say the same number. */
export function wavesOf(backlog: Backlog, tasks: readonly Task[]): NumberedWaves {
  const known = new Map(tasks.map((task) => [task.id, task]));
  const inOrder = backlog.tasks.map(({ id }) => known.get(id));
  const holding = inOrder.flatMap((task, at) =>
    task !== undefined && holdsClaims(task.state) ? [at] : [],
  );
  return numberWaves(backlog, holding, (at) => inOrder[at]?.wave);
}
