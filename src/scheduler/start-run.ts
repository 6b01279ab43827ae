import { leadingRun } from "../domain/candidates.ts";
import type { Change } from "../domain/change.ts";
import type { ReworkKind } from "../domain/rework.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { Start } from "../planner/decide-starts.ts";
import { newRun } from "./new-run.ts";
import type { SchedulerSnapshot } from "./snapshot.ts";

export interface StartRun {
  readonly kind: "start-run";
  readonly run: Run;
  readonly changes: readonly Change[];
}

export interface Begin extends Start {
  /** Of the claims that it takes; undefined where they are held already. */
  readonly fence: number | undefined;
}

/** Only what takes claims advances the number. */
export function withFences(
  starts: readonly Start[],
  { fence, holds }: SchedulerSnapshot,
): readonly Begin[] {
  let last = fence;
  return starts.map((start) => {
    const isHeld = holds.some(({ task }) => task === start.id);
    if (!isHeld) last += 1;
    return { ...start, fence: isHeld ? undefined : last };
  });
}

/** The run's row, the task's move and its claims in one batch. */
export function startRun(
  task: Task | undefined,
  { reason, runner, fence }: Begin,
  { now, limits, runs, rework }: SchedulerSnapshot,
): readonly StartRun[] {
  if (task === undefined) return [];
  const wanted = task.state === "review" ? rework.get(task.id) : undefined;
  const run = newRun(task, {
    attempt: task.attempts + 1,
    // The HOME of a candidate has its number: whoever goes on with its work finds its session there.
    candidate: wanted === undefined ? 1 : (leadingRun(task.id, runs)?.candidate ?? 1),
    rework: wanted,
    runner: runner ?? limits.defaultRunner,
    now,
  });
  const moved: Change = {
    ...{ kind: "task-moved", task: task.id, from: task.state, to: "running", at: now },
    reason: wanted === undefined ? reason : `${REWORK_REASONS[wanted.kind]} on #${task.pull ?? 0}`,
    set: { attempts: run.attempt, notBefore: null, branch: run.branch },
  };
  const changes: Change[] = [{ kind: "run-queued", run }, moved];
  if (fence !== undefined) {
    const { claims } = task.spec;
    const hold = { task: task.id, run: run.id, claims, fence, takenAt: now };
    changes.push({ kind: "claims-taken", hold });
  }
  return [{ kind: "start-run", run, changes }];
}

const REWORK_REASONS: Readonly<Record<ReworkKind, string>> = {
  review: "works on the changes that were requested",
  checks: "works on the checks that failed",
};
