import type { OperatorConfig } from "../config/schema/operator-config.ts";
import type { RepoConfig } from "../config/schema/repo-config.ts";
import type { Change } from "../domain/change.ts";
import {
  describeOutcome,
  failureClassOf,
  failureSignature,
  isForgiven,
} from "../domain/failure.ts";
import type { FailureClass } from "../domain/failure.ts";
import type { Instant } from "../domain/ids.ts";
import { giveUp, retryLater, retryOrGiveUp } from "../domain/retry.ts";
import type { Failure, RetryPolicy } from "../domain/retry.ts";
import type { Run, RunOutcome } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import { assertNever } from "../shared/assert-never.ts";

export interface FailurePolicy extends RetryPolicy {
  /** After this many same failures in a row, another attempt would not help. */
  readonly same: number;
  /** A task is given up after this many failures of a class. A class without a number has `attempts` alone. */
  readonly classes: Readonly<Partial<Record<FailureClass, number>>>;
}

export interface FinishedRun {
  readonly task: Task;
  readonly run: Run;
  readonly outcome: RunOutcome;
  /** It is set when a pull request is open for the run's commit. */
  readonly pull: number | undefined;
  /** These are the outcomes of the runs since the task was last asked for, oldest first. */
  readonly earlier: readonly RunOutcome[];
  readonly policy: FailurePolicy;
  readonly now: Instant;
  /** The caller draws a number from 0 to 1. It spreads retries that failed together. */
  readonly jitter: number;
}

export interface FailedRun extends Failure {
  readonly outcome: RunOutcome;
  /** These are the outcomes of the runs since the task was last asked for, oldest first. */
  readonly earlier: readonly RunOutcome[];
  readonly policy: FailurePolicy;
}

/** Decides what becomes of the task when a run ends. */
export function decideAfterRun(finished: FinishedRun): readonly Change[] {
  const { run, outcome, now } = finished;
  return [{ kind: "run-finished", run: run.id, outcome, at: now }, taskAfterRun(finished)];
}

/** A failed run that went on with a pull request leaves it in review: what asked for this run asks for the next one. */
export function taskAfterRun(finished: FinishedRun): Change {
  const change = taskChange(finished);
  if (change.kind !== "task-moved" || finished.run.rework === undefined) return change;
  // A pause of its runner keeps the next one from starting into the same wall.
  const goesBack = change.to === "waiting" || finished.outcome.kind === "not-logged-in";
  if (!goesBack) return change;
  return { ...change, to: "review" };
}

/** Decides between another attempt and the end of the task, by the limits of the failure's class. */
export function decideAfterFailure(failed: FailedRun, failureClass: FailureClass): Change {
  const { earlier, policy, task, outcome } = failed;
  if (outcome.kind === "lost" && outcome.needsPerson === true) {
    return giveUp(failed, "a person has to bring it in");
  }
  const such = 1 + earlier.filter((one) => failureClassOf(one) === failureClass).length;
  const limit = policy.classes[failureClass] ?? Infinity;
  if (isForgiven(failureClass)) {
    return such < limit ? retryLater(failed, such) : giveUp(failed, gaveUpAfter(such));
  }
  if (task.failures + 1 >= policy.attempts) return retryOrGiveUp(failed);
  if (such >= limit) return giveUp(failed, gaveUpAfter(such));
  const same = sameInARow(failed);
  if (same < policy.same) return retryOrGiveUp(failed);
  return giveUp(failed, `the same failure ${same} times in a row, another attempt would not help`);
}

/** Combines the limits of the repository with the pauses of the operator. */
export function failurePolicy({ limits }: RepoConfig, { retry }: OperatorConfig): FailurePolicy {
  const { noChanges, ...failures } = limits.failures;
  return {
    attempts: limits.attempts,
    backoffMs: retry.backoff,
    maxBackoffMs: retry.maxBackoff,
    same: limits.sameFailure,
    classes: { ...failures, "no-changes": noChanges },
  };
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
    case "not-logged-in":
      return { ...moved, to: "failed", reason: wordLogin(outcome), set: { notBefore: null } };
    case "lost":
    case "no-changes":
    case "out-of-scope":
    case "verify-failed":
    case "not-scored":
    case "failed":
    case "timed-out":
    case "stalled":
    case "disk-limit":
      return afterFailure(finished);
    default:
      return assertNever(outcome);
  }
}

/** Nothing that the task could do differently would help, so it uses up no attempt, and its runner pauses for the others. */
function wordLogin(outcome: Extract<RunOutcome, { kind: "not-logged-in" }>): string {
  const { keys } = outcome;
  const how = keys.length === 0 ? "log it in" : `set ${keys.join(" or ")}`;
  return `${describeOutcome(outcome)}; ${how} on the server, then say /retry`;
}

function afterFailure(finished: FinishedRun): Change {
  const { task, outcome, now: at } = finished;
  const what = describeOutcome(outcome);
  const failureClass = failureClassOf(outcome);
  if (failureClass !== undefined) return decideAfterFailure({ ...finished, what }, failureClass);
  const moved = { kind: "task-moved", task: task.id, from: task.state, at } as const;
  return { ...moved, to: "waiting", reason: what, set: { notBefore: null } };
}

function gaveUpAfter(such: number): string {
  return such === 1 ? "gave up after this one" : `gave up after ${such} such runs`;
}

/** Failures that were not the run's own fault count neither as the same failure nor as another one. */
function sameInARow({ outcome, earlier }: FailedRun): number {
  const signature = failureSignature(outcome);
  const telling = earlier.filter((one) => {
    const its = failureClassOf(one);
    return one.kind === "succeeded" || (its !== undefined && !isForgiven(its));
  });
  const other = telling.findLastIndex((one) => failureSignature(one) !== signature);
  return telling.length - other;
}
