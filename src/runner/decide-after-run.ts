import type { Change } from "../domain/change.ts";
import { describeOutcome } from "../domain/describe-outcome.ts";
import type { Instant } from "../domain/ids.ts";
import { failureClassOf } from "../domain/failure.ts";
import type { Run, RunOutcome } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import { assertNever } from "../shared/assert-never.ts";
import { decideAfterFailure } from "./decide-after-failure.ts";
import type { FailurePolicy } from "./decide-after-failure.ts";

export interface FinishedRun {
  readonly task: Task;
  readonly run: Run;
  readonly outcome: RunOutcome;
  /** Set when a pull request is open for the run's commit. */
  readonly pull: number | undefined;
  /** How the runs before ended, since the task was last asked for; oldest first. */
  readonly earlier: readonly RunOutcome[];
  readonly policy: FailurePolicy;
  readonly now: Instant;
  /** 0 to 1, drawn by the caller: spreads retries that failed together. */
  readonly jitter: number;
}

/** What becomes of the task when a run ends. */
export function decideAfterRun(finished: FinishedRun): readonly Change[] {
  const { run, outcome, now } = finished;
  return [{ kind: "run-finished", run: run.id, outcome, at: now }, taskAfterRun(finished)];
}

/** One that went on with a pull request leaves it as it was: what asked for the run asks for the next. */
export function taskAfterRun(finished: FinishedRun): Change {
  const change = taskChange(finished);
  const goesBack = change.kind === "task-moved" && change.to === "waiting";
  if (!goesBack || finished.run.rework === undefined) return change;
  return { ...change, to: "review" };
}

function taskChange(finished: FinishedRun): Change {
  const { outcome, task, run, now, pull } = finished;
  const moved = { kind: "task-moved", task: task.id, from: task.state, at: now } as const;
  switch (outcome.kind) {
    case "succeeded":
      return {
        ...moved,
        to: "review",
        reason: pull === undefined ? "its change is pushed" : `#${pull} waits for a review`,
        set: { branch: run.branch, notBefore: null, ...(pull === undefined ? {} : { pull }) },
      };
    case "cancelled":
      return { ...moved, to: "cancelled", reason: outcome.reason, set: {} };
    case "provider-limited":
      // The runner pauses, not the task: a fallback may take it at once.
      return {
        ...moved,
        to: "waiting",
        reason: describeOutcome(outcome),
        set: { notBefore: null },
      };
    case "lost":
    case "no-changes":
    case "out-of-scope":
    case "verify-failed":
    case "failed":
    case "timed-out":
    case "stalled":
    case "disk-limit":
      return afterFailure(finished);
    default:
      return assertNever(outcome);
  }
}

function afterFailure(finished: FinishedRun): Change {
  const { task, outcome, now: at } = finished;
  const what = describeOutcome(outcome);
  const failureClass = failureClassOf(outcome);
  if (failureClass !== undefined) return decideAfterFailure({ ...finished, what }, failureClass);
  const moved = { kind: "task-moved", task: task.id, from: task.state, at } as const;
  return { ...moved, to: "waiting", reason: what, set: { notBefore: null } };
}
