import type { Task } from "../domain/task.ts";
import { estimateWith, learnDurations } from "../planner/estimate.ts";
import type { PastRun } from "../planner/estimate.ts";
import type { FinishedRun } from "../ports/store.ts";
import { routeOf } from "./routes.ts";
import type { SchedulerSnapshot } from "./snapshot.ts";

/** How long a run of each task is expected to take, as the repository's past runs tell. */
export function expectedDurations({
  history,
  context,
  limits,
}: Pick<SchedulerSnapshot, "history" | "context" | "limits">): (task: Task) => number {
  // The store gives the newest first.
  const model = learnDurations(history.toReversed().flatMap(pastRun));
  const routing = { ...limits, defaultRunner: context.config.runner ?? limits.defaultRunner };
  return ({ spec }) =>
    estimateWith(model, { size: spec.size, labels: [], runner: routeOf(spec, routing)[0] }).p50Ms;
}

function pastRun({ startedAt, finishedAt, size, runner }: FinishedRun): readonly PastRun[] {
  if (startedAt === undefined || finishedAt === undefined) return [];
  return [{ durationMs: finishedAt - startedAt, size, labels: [], runner, timedOut: false }];
}
