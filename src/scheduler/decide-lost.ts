import { isCandidate } from "../domain/candidates.ts";
import type { Change } from "../domain/change.ts";
import type { Instant, RunId } from "../domain/ids.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";

/** Runs that the store calls unfinished but nobody is working on, e.g. after a crash: their tasks go back to the queue. */
export function decideLost(
  { tasks, runs }: { readonly tasks: readonly Task[]; readonly runs: readonly Run[] },
  underWay: ReadonlySet<RunId>,
  at: Instant,
): readonly (readonly Change[])[] {
  const lost = runs.filter((run) => run.state !== "finished" && !underWay.has(run.id));
  return lost.map((run) => {
    const reason = "the run was lost when the app stopped";
    const outcome = { kind: "lost", reason, interrupted: true } as const;
    const finished: Change = { kind: "run-finished", run: run.id, outcome, at };
    const task = tasks.find((candidate) => candidate.id === run.task);
    // The others of its attempt go on; once all have ended the task goes by the best of them.
    if (task?.state !== "running" || isCandidate(run, task)) return [finished];
    const to = run.rework === undefined ? "waiting" : "review";
    const moved = { kind: "task-moved", task: task.id, from: "running", to } as const;
    return [finished, { ...moved, reason, at, set: {} }];
  });
}
