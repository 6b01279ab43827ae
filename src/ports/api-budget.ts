import type { Instant } from "../domain/ids.ts";

/** GitHub says how much of an hour's allowance is left. */
export interface Allowance {
  readonly limit: number;
  readonly left: number;
  readonly resetsAt: Instant;
}

/** Says what a write is about. `issue` is everything else that changes an issue: opening it, relating it, closing it. */
export type WriteKind = "landing" | "pull-request" | "check" | "card" | "issue" | "comment";

/** These are writes of one kind that wait for their turn. */
export interface HeldBack {
  readonly kind: WriteKind;
  readonly count: number;
  readonly oldestAt: Instant;
}

/** This is one installation's share of GitHub's API. An allowance that was never asked for is undefined. */
export interface ApiBudget {
  readonly installation: number;
  readonly rest: Allowance | undefined;
  readonly graphql: Allowance | undefined;
  /** We count ourselves what was written within the last hour. */
  readonly writes: { readonly limit: number; readonly left: number };
  /** The most important kind comes first. */
  readonly heldBack: readonly HeldBack[];
  /** GitHub asked to be left alone until then. */
  readonly askedUntil: Instant | undefined;
}
