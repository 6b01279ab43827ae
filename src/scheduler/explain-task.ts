import type { TaskId } from "../domain/ids.ts";
import type { Plan } from "../domain/plan.ts";
import { explain } from "../planner/explain.ts";
import { assignWaves } from "../planner/waves/assign-waves.ts";
import { backlogOf, dispatchOf, holdingOf, freeSlotsIn } from "./decide-dispatch.ts";
import type { SchedulerSnapshot } from "./snapshot.ts";

/** Says why the task is where it is, where the plan has it, and what would change that. */
export function explainTask(id: TaskId, snapshot: SchedulerSnapshot): readonly string[] {
  const backlog = backlogOf(snapshot);
  const decision = dispatchOf(backlog, freeSlotsIn(snapshot), snapshot);
  const holding = snapshot.tasks.flatMap((task) => holdingOf(task, snapshot, backlog));
  return explain(id, { backlog, holding, decision });
}

/** Lists the waves as they are now. Tasks at work already are the first wave. */
export function currentPlan(snapshot: SchedulerSnapshot): Pick<Plan, "waves" | "blocked"> {
  const backlog = backlogOf(snapshot);
  const held = snapshot.tasks.flatMap((task) =>
    holdingOf(task, snapshot, backlog).flatMap(({ id }) => backlog.positions.get(id) ?? []),
  );
  const waves = assignWaves(backlog, held).map((wave) =>
    wave.flatMap((at) => backlog.tasks[at]?.id ?? []),
  );
  return { waves, blocked: backlog.blocked };
}
