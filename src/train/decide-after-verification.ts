import type { Change } from "../domain/change.ts";
import type { Entry, Evidence } from "../domain/entry.ts";
import type { Instant } from "../domain/ids.ts";
import { retryOrGiveUp } from "../domain/retry.ts";
import type { RetryPolicy } from "../domain/retry.ts";
import type { Task } from "../domain/task.ts";
import { assertNever } from "../shared/assert-never.ts";

/** How the verification of an entry ended. */
export type Verification =
  | { readonly kind: "green"; readonly evidence: Evidence }
  | { readonly kind: "red"; readonly evidence: Evidence }
  | { readonly kind: "conflict"; readonly paths: readonly string[] }
  | { readonly kind: "head-moved" }
  | { readonly kind: "interrupted"; readonly reason: string };

export interface FinishedVerification {
  readonly entry: Entry;
  readonly task: Task;
  readonly verification: Verification;
  readonly policy: RetryPolicy;
  readonly now: Instant;
  readonly jitter: number;
}

export function decideAfterVerification(finished: FinishedVerification): readonly Change[] {
  const { entry, verification, now } = finished;
  const moved = { kind: "entry-moved", entry: entry.id, from: "verifying", at: now } as const;
  switch (verification.kind) {
    case "green": {
      const reason = `verified on top of ${verification.evidence.candidate.base.slice(0, 7)}`;
      const set = { evidence: verification.evidence };
      return [{ ...moved, to: "verified", reason, set }];
    }
    case "red": {
      const reason = `#${entry.pull} fails the verify command on top of ${entry.base}`;
      const set = { evidence: verification.evidence };
      return [{ ...moved, to: "rejected", reason, set }, giveBack(finished, reason)];
    }
    case "conflict": {
      const reason = `#${entry.pull} conflicts with ${entry.base} in ${verification.paths.join(", ")}`;
      return [{ ...moved, to: "rejected", reason, set: {} }, giveBack(finished, reason)];
    }
    case "head-moved": {
      const reason = `#${entry.pull} has new commits since it was approved`;
      return [{ ...moved, to: "superseded", reason, set: {} }, backToReview(finished, reason)];
    }
    case "interrupted":
      return [{ ...moved, to: "queued", reason: verification.reason, set: {} }];
    default:
      return assertNever(verification);
  }
}

function backToReview({ task, now: at }: FinishedVerification, reason: string): Change {
  return { kind: "task-moved", task: task.id, from: task.state, to: "review", reason, at, set: {} };
}

/** The change needs a new run on the present base; its claims are free until then. */
function giveBack({ task, policy, now, jitter }: FinishedVerification, what: string): Change {
  return retryOrGiveUp({ task, what, policy, now, jitter });
}
