import type { Instant } from "../domain/ids.ts";

/** What GitHub says is left of an hour's allowance. */
export interface Allowance {
  readonly limit: number;
  readonly left: number;
  readonly resetsAt: Instant;
}

/** One installation's share of GitHub's API; what was never asked is unknown. */
export interface ApiBudget {
  readonly installation: number;
  readonly rest: Allowance | undefined;
  readonly graphql: Allowance | undefined;
  /** Our own count of the last hour. */
  readonly writes: { readonly limit: number; readonly left: number };
}
