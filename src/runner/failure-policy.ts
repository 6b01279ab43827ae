import type { OperatorConfig, RepoConfig } from "../config/schema.ts";
import type { FailurePolicy } from "./decide-after-failure.ts";

/** The limits of the repository with the pauses of the operator. */
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
