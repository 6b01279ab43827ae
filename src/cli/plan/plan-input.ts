import type { PlannableTask } from "../../domain/plan.ts";
import type { PlanRequest } from "./make-plan.ts";

export interface RepositoryOptions {
  readonly project?: number;
  readonly label?: string;
  readonly all?: true;
  readonly apiUrl?: string;
  readonly tokenEnv: string;
}

export interface InputOptions extends RepositoryOptions {
  readonly tasks?: string;
  readonly repo?: string;
}

/** Tasks, what is known about them, and what the plan is made with unless told otherwise. */
export interface PlanInput extends Pick<PlanRequest, "facts" | "claims" | "holding"> {
  readonly tasks: readonly PlannableTask[];
  readonly defaults: { readonly parallel: number; readonly schedule: "rolling" | "waves" };
}
