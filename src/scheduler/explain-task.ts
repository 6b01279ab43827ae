import type { TaskId } from "../domain/ids.ts";
import type { Plan } from "../domain/plan.ts";
import { assignWaves } from "../planner/assign-waves.ts";
import { explain } from "../planner/explain.ts";
import { backlogOf, dispatchOf, holdingOf, roomIn } from "./decide.ts";
import type { SchedulerSnapshot } from "./snapshot.ts";

/** Why the task is where it is, where the plan has it, and what would change that. */
export function explainTask(id: TaskId, snapshot: SchedulerSnapshot): readonly string[] {
  const backlog = backlogOf(snapshot);
  const decision = dispatchOf(backlog, roomIn(snapshot), snapshot);
  const holding = snapshot.tasks.flatMap((task) => holdingOf(task, snapshot, backlog));
  return explain(id, { backlog, holding, decision });
}

/** The waves as they are now; what is at work already is the first. */
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
