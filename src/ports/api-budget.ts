import type { Instant } from "../domain/ids.ts";

/** What GitHub says is left of an hour's allowance. */
export interface Allowance {
  readonly limit: number;
  readonly left: number;
  readonly resetsAt: Instant;
}

/** What a write is about. `issue` is whatever else changes an issue: its making, its relations, its end. */
export type WriteKind = "landing" | "pull-request" | "check" | "card" | "issue" | "comment";

/** Writes of one kind that wait for their turn. */
export interface HeldBack {
  readonly kind: WriteKind;
  readonly count: number;
  readonly oldestAt: Instant;
}

/** One installation's share of GitHub's API; what was never asked is unknown. */
export interface ApiBudget {
  readonly installation: number;
  readonly rest: Allowance | undefined;
  readonly graphql: Allowance | undefined;
  /** Our own count of the content that was written within the last hour. */
  readonly writes: { readonly limit: number; readonly left: number };
  /** The most worthy first. */
  readonly heldBack: readonly HeldBack[];
  /** Until when GitHub asked to be left alone. */
  readonly askedUntil: Instant | undefined;
}
