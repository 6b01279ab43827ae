import { isCandidate } from "../domain/candidates.ts";
import type { Change } from "../domain/change.ts";
import type { Instant, RunId } from "../domain/ids.ts";
import type { Run, StopOutcome } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";

export interface UnfinishedWork {
  readonly tasks: readonly Task[];
  readonly runs: readonly Run[];
  /** Runs that somebody cancelled, with the reason. */
  readonly cancels?: ReadonlyMap<RunId, string>;
}

/**
 * Runs that the store calls unfinished but nobody is working on, e.g. after a crash: their tasks go back to the queue, unless
 * somebody had cancelled them.
 */
export function decideLost(
  { tasks, runs, cancels = new Map() }: UnfinishedWork,
  underWay: ReadonlySet<RunId>,
  at: Instant,
): readonly (readonly Change[])[] {
  const lost = runs.filter((run) => run.state !== "finished" && !underWay.has(run.id));
  return lost.map((run) => {
    const outcome = outcomeOf(cancels.get(run.id));
    const finished: Change = { kind: "run-finished", run: run.id, outcome, at };
    const task = tasks.find((candidate) => candidate.id === run.task);
    // The others of its attempt go on; once all have ended the task goes by the best of them.
    if (task?.state !== "running" || isCandidate(run, task)) return [finished];
    const again = run.rework === undefined ? "waiting" : "review";
    const to = outcome.kind === "cancelled" ? "cancelled" : again;
    const moved = { kind: "task-moved", task: task.id, from: "running", to } as const;
    return [finished, { ...moved, reason: outcome.reason, at, set: {} }];
  });
}

function outcomeOf(cancelled: string | undefined): StopOutcome {
  if (cancelled !== undefined) return { kind: "cancelled", reason: cancelled };
  return { kind: "lost", reason: "the run was lost when the app stopped", interrupted: true };
}
