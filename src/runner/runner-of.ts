import type { RunnerConfig } from "../config/runner-schema.ts";
import type { OperatorConfig } from "../config/schema.ts";
import type { Run } from "../domain/run.ts";
import { AppError } from "../shared/app-error.ts";

/** The runner that a run was queued for. */
export function runnerOf({ runner }: Pick<Run, "runner">, operator: OperatorConfig): RunnerConfig {
  const config = operator.runners[runner];
  if (config === undefined) throw new AppError("config-invalid", `no runner is named ${runner}`);
  return config;
}
