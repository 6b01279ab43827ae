import type { Change } from "../domain/change.ts";
import { failureClassOf, failureSignature, isForgiven } from "../domain/failure.ts";
import type { FailureClass } from "../domain/failure.ts";
import { giveUp, retryLater, retryOrGiveUp } from "../domain/retry.ts";
import type { Failure, RetryPolicy } from "../domain/retry.ts";
import type { RunOutcome } from "../domain/run.ts";
import { isWorkflowRefusal } from "../domain/workflow-refusal.ts";

export interface FailurePolicy extends RetryPolicy {
  /** The same failure in a row after which another attempt would not help. */
  readonly same: number;
  /** Failures of a class after which a task is given up; the classes without one have `attempts` alone. */
  readonly classes: Readonly<Partial<Record<FailureClass, number>>>;
}

export interface FailedRun extends Failure {
  readonly outcome: RunOutcome;
  /** How the runs before ended, since the task was last asked for; oldest first. */
  readonly earlier: readonly RunOutcome[];
  readonly policy: FailurePolicy;
}

/** Another attempt or the end of the task, by the limits of what went wrong. */
export function decideAfterFailure(failed: FailedRun, failureClass: FailureClass): Change {
  const { earlier, policy, task, outcome } = failed;
  if (outcome.kind === "lost" && isWorkflowRefusal(outcome.reason)) {
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

function gaveUpAfter(such: number): string {
  return such === 1 ? "gave up after this one" : `gave up after ${such} such runs`;
}

/** What the world did to runs in between is neither the same failure nor another. */
function sameInARow({ outcome, earlier }: FailedRun): number {
  const signature = failureSignature(outcome);
  const telling = earlier.filter((one) => {
    const its = failureClassOf(one);
    return one.kind === "succeeded" || (its !== undefined && !isForgiven(its));
  });
  const other = telling.findLastIndex((one) => failureSignature(one) !== signature);
  return telling.length - other;
}
