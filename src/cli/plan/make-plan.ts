import type { Conflict, Plan, PlannableTask } from "../../domain/plan.ts";
import { prepareBacklog } from "../../planner/backlog.ts";
import type { Backlog, BacklogOptions } from "../../planner/backlog.ts";
import { listConflicts } from "../../planner/list-conflicts.ts";
import { planBacklog } from "../../planner/plan-tasks.ts";

export interface PlanRequest extends Pick<BacklogOptions, "slots" | "facts" | "claims"> {
  readonly schedule: "rolling" | "waves";
}

/** Everything that the three ways to show a plan need. */
export interface PlanView {
  readonly request: PlanRequest;
  readonly backlog: Backlog;
  readonly plan: Plan;
  readonly conflicts: readonly Conflict[];
}

export function makePlan(tasks: readonly PlannableTask[], request: PlanRequest): PlanView {
  const { slots, schedule } = request;
  const backlog = prepareBacklog(tasks, request);
  const plan = planBacklog(backlog, { slots, rules: { schedule } });
  return { request, backlog, plan, conflicts: listConflicts(backlog, request.claims) };
}
