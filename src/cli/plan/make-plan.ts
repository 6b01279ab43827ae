import type { Plan, PlannableTask } from "../../domain/plan.ts";
import { planBacklog } from "../../planner/plan-tasks.ts";
import type { PlanOptions } from "../../planner/plan-tasks.ts";
import { prepareBacklog } from "../../planner/waves/backlog.ts";
import type { Backlog } from "../../planner/waves/backlog.ts";

interface PlanRequest extends Pick<PlanOptions, "slots" | "facts" | "claims" | "holding"> {
  readonly schedule: "rolling" | "waves";
  /** No more conflicts than this are listed; when undefined, as many as the way to show them has room for. */
  readonly conflicts?: number | undefined;
}

/** This is everything that the three ways to show a plan need. */
export interface PlanView {
  readonly request: PlanRequest;
  readonly backlog: Backlog;
  readonly plan: Plan;
}

/** It holds the tasks, all that is known about them, and the settings that the options do not give. */
export interface PlanInput extends Pick<PlanRequest, "facts" | "claims" | "holding"> {
  readonly tasks: readonly PlannableTask[];
  readonly defaults: { readonly parallel: number; readonly schedule: "rolling" | "waves" };
}

export function makePlan(tasks: readonly PlannableTask[], request: PlanRequest): PlanView {
  const { schedule } = request;
  const backlog = prepareBacklog(tasks, request);
  const plan = planBacklog(backlog, { ...request, rules: { schedule } });
  return { request, backlog, plan };
}
