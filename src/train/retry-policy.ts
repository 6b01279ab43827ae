import type { Deps, RepoContext } from "../deps.ts";
import type { RetryPolicy } from "../domain/retry.ts";

export function retryPolicy({ config }: RepoContext, { operator }: Deps): RetryPolicy {
  return {
    attempts: config.limits.attempts,
    backoffMs: operator.retry.backoff,
    maxBackoffMs: operator.retry.maxBackoff,
  };
}
