import type { Plan, PlannableTask } from "../../domain/plan.ts";
import { prepareBacklog } from "../../planner/backlog.ts";
import type { Backlog } from "../../planner/backlog.ts";
import { planBacklog } from "../../planner/plan-tasks.ts";
import type { PlanOptions } from "../../planner/plan-tasks.ts";

export interface PlanRequest extends Pick<PlanOptions, "slots" | "facts" | "claims" | "holding"> {
  readonly schedule: "rolling" | "waves";
  /** Most conflicts that are listed; undefined: as many as the way to show them has room for. */
  readonly conflicts?: number | undefined;
}

/** Everything that the three ways to show a plan need. */
export interface PlanView {
  readonly request: PlanRequest;
  readonly backlog: Backlog;
  readonly plan: Plan;
}

export function makePlan(tasks: readonly PlannableTask[], request: PlanRequest): PlanView {
  const { schedule } = request;
  const backlog = prepareBacklog(tasks, request);
  const plan = planBacklog(backlog, { ...request, rules: { schedule } });
  return { request, backlog, plan };
}
