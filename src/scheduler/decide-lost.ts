import type { Change } from "../domain/change.ts";
import { isContender, leadingRuns } from "../domain/explore/contenders.ts";
import type { Instant, RunId } from "../domain/ids.ts";
import type { Run, StopOutcome } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";

export interface UnfinishedWork {
  readonly tasks: readonly Task[];
  readonly runs: readonly Run[];
  /** Somebody cancelled these runs, with a reason. */
  readonly cancels?: ReadonlyMap<RunId, string>;
  /** After so many lost runs in a row their task is given up, because whatever took them away would also take the next. */
  readonly maxLost: number;
}

/**
 * Ends runs that the store calls unfinished but nobody is working on, e.g. after a crash. Their tasks go back to the
 * queue, unless somebody had cancelled them, or it happens to them again and again.
 */
export function decideLost(
  { tasks, runs, cancels = new Map(), maxLost }: UnfinishedWork,
  underWay: ReadonlySet<RunId>,
  at: Instant,
): readonly (readonly Change[])[] {
  const lost = runs.filter((run) => run.state !== "finished" && !underWay.has(run.id));
  return lost.map((run) => {
    const outcome = outcomeOf(cancels.get(run.id));
    const finished: Change = { kind: "run-finished", run: run.id, outcome, at };
    const task = tasks.find((one) => one.id === run.task);
    // The others of its attempt go on. Once all have ended, the task takes the outcome of the best of them.
    if (task?.state !== "running" || isContender(run, task)) return [finished];
    const moved = { kind: "task-moved", task: task.id, from: "running", at, set: {} } as const;
    if (outcome.kind === "cancelled")
      return [finished, { ...moved, to: "cancelled", reason: outcome.reason }];
    const times = 1 + lostInARow(task, runs);
    if (times >= maxLost) {
      const reason = `${outcome.reason}; gave up after ${times} such runs in a row`;
      return [finished, { ...moved, to: "failed", reason }];
    }
    const to = run.rework === undefined ? "waiting" : "review";
    return [finished, { ...moved, to, reason: outcome.reason }];
  });
}

function lostInARow({ id, readySince }: Task, runs: readonly Run[]): number {
  const ended = runs.filter(
    ({ task, outcome, queuedAt }) => task === id && outcome !== undefined && queuedAt >= readySince,
  );
  const other = leadingRuns(ended).findLastIndex(
    ({ outcome }) => outcome?.kind !== "lost" || outcome.interrupted !== true,
  );
  return leadingRuns(ended).length - 1 - other;
}

function outcomeOf(cancelled: string | undefined): StopOutcome {
  if (cancelled !== undefined) return { kind: "cancelled", reason: cancelled };
  return { kind: "lost", reason: "the run was lost when the app stopped", interrupted: true };
}
