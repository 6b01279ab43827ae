import { leadingRun } from "../domain/explore/contenders.ts";
import { describeOutcome, lastLines } from "../domain/failure.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import type { Run, RunOutcome } from "../domain/run.ts";

/** It says how the last run of a task or of a runner ended. */
export interface EndedRunStatus {
  readonly id: string;
  readonly task: string;
  readonly runner: string;
  readonly attempt: number;
  readonly outcome: RunOutcome["kind"];
  /** It says the same in words. */
  readonly what: string;
  /** These are the last lines that explain it, safe for a terminal. */
  readonly tail: readonly string[];
  /** It is a path on the server that ran it. */
  readonly logPath: string | undefined;
  readonly finishedAt: Instant | undefined;
  readonly host: string | undefined;
}

/** Returns undefined while no run of the task has ended. */
export function lastRunOf(task: TaskId, runs: readonly Run[]): EndedRunStatus | undefined {
  const ended = runs.filter((run) => run.task === task && run.outcome !== undefined);
  const last = leadingRun(task, ended);
  return last === undefined ? undefined : endedRunStatus(last);
}

export function endedRunStatus(run: Run): EndedRunStatus | undefined {
  const { id, task, runner, attempt, outcome, logPath, finishedAt, host } = run;
  if (outcome === undefined) return undefined;
  return {
    id,
    task,
    runner,
    attempt,
    outcome: outcome.kind,
    what: describeOutcome(outcome),
    tail: lastLines(outcome),
    logPath,
    finishedAt,
    host,
  };
}
