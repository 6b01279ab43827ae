import type { RepoReading } from "../domain/board.ts";
import { instant } from "../domain/ids.ts";
import type { Instant } from "../domain/ids.ts";
import type { Signal } from "../domain/signal.ts";

export interface ReadingSnapshot {
  readonly now: Instant;
  readonly reading: RepoReading | undefined;
  /** Every reading takes a while of the budget: until when the past ones have. */
  readonly readingsPaidUntil: Instant;
  /** GitHub changed since the reading, and it was not time for the next one yet. */
  readonly unread: boolean;
  /** Is true if something woke the tick that came from GitHub, or from the timer that makes up for lost webhooks. */
  readonly isNews: boolean;
  readonly signals: readonly Signal[];
}

export type ReadingDecision =
  | { readonly kind: "keep" }
  /** Nothing says that GitHub changed, so it is asked. That costs nothing if it did not. */
  | { readonly kind: "ask" }
  | { readonly kind: "read" };

/** News of one moment are read together: a person's click makes several, and so do tasks that end at once. */
export const TOGETHER_MS = 200;
/** News come in swarms: a few readings follow each other at once, and then no more of them than GitHub's budget allows all day. */
const READINGS_AT_ONCE = 5;
const PAUSE_MS = 1_000;
const PAUSE_PER_CARD_MS = 40;
/** Parents and dependencies in other repositories change without a trace in this one. */
const LONGEST_UNREAD_MS = 15 * 60_000;

/** Decides whether the board must be read again. */
export function decideReading(snapshot: ReadingSnapshot): ReadingDecision {
  const { now, reading, unread, isNews, signals } = snapshot;
  if (reading === undefined || unread) return { kind: "read" };
  if (!isNews) return { kind: "keep" };
  const isOld = now - reading.readAt > LONGEST_UNREAD_MS;
  return { kind: signals.length > 0 || isOld ? "read" : "ask" };
}

/** Returns the moment before which the board is not read again. */
export function earliestReading({
  reading,
  readingsPaidUntil,
}: Pick<ReadingSnapshot, "reading" | "readingsPaidUntil">): Instant {
  const paidAt = readingsPaidUntil - (READINGS_AT_ONCE - 1) * pauseAfter(reading);
  return instant(Math.max(paidAt, (reading?.readAt ?? -Infinity) + TOGETHER_MS));
}

/** Returns until when a reading that is made now is paid for. */
export function paidAfterReading({
  now,
  reading,
  readingsPaidUntil,
}: Pick<ReadingSnapshot, "now" | "reading" | "readingsPaidUntil">): Instant {
  return instant(Math.max(readingsPaidUntil, now) + pauseAfter(reading));
}

function pauseAfter(reading: RepoReading | undefined): number {
  return PAUSE_MS + PAUSE_PER_CARD_MS * (reading?.board.cards.length ?? 0);
}
