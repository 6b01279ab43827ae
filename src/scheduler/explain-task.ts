import type { TaskId } from "../domain/ids.ts";
import type { Plan } from "../domain/plan.ts";
import { explain } from "../planner/explain.ts";
import type { NumberedWaves } from "../planner/waves/assign-waves.ts";
import { backlogOf, dispatchOf, holdingOf, freeSlotsIn } from "./decide-dispatch.ts";
import type { SchedulerSnapshot } from "./snapshot.ts";
import { wavesOf } from "./waves-of.ts";

/** Says what keeps the task from starting, where the plan has it, and what would change that. */
export function explainTask(id: TaskId, snapshot: SchedulerSnapshot): readonly string[] {
  const backlog = backlogOf(snapshot);
  const decision = dispatchOf(backlog, freeSlotsIn(snapshot), snapshot);
  const holding = snapshot.tasks.flatMap((task) => holdingOf(task, snapshot, backlog));
  return explain(id, { backlog, holding, decision, numbered: wavesOf(backlog, snapshot.tasks) });
}

/** Lists the waves as they are now. */
export function currentPlan(
  snapshot: SchedulerSnapshot,
): Pick<Plan, "waves" | "blocked"> & Pick<NumberedWaves, "first"> {
  const backlog = backlogOf(snapshot);
  const { first, waves } = wavesOf(backlog, snapshot.tasks);
  const ids = waves.map((wave) => wave.flatMap((at) => backlog.tasks[at]?.id ?? []));
  return { first, waves: ids, blocked: backlog.blocked };
}
