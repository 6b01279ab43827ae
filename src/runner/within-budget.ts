import type { OperatorConfig } from "../config/schema.ts";
import { spentBy, tighter, timeLeftMs } from "../domain/budget.ts";
import type { RunInProgress } from "./run-in-progress.ts";

/** The same run with no more time than the task's budget leaves. */
export function withinBudget(progress: RunInProgress, operator: OperatorConfig): RunInProgress {
  const { context, history, run } = progress;
  const { timeouts, budget } = context.config;
  const spent = spentBy(history.runs, { from: 0, now: run.queuedAt });
  const leftMs = timeLeftMs(tighter(budget.perTask, operator.budget.perTask), spent);
  if (leftMs >= timeouts.run) return progress;
  const config = { ...context.config, timeouts: { ...timeouts, run: Math.ceil(leftMs) } };
  return { ...progress, context: { ...context, config } };
}
