import type { RepoReading } from "../domain/board.ts";
import { instant } from "../domain/ids.ts";
import type { Instant } from "../domain/ids.ts";
import { OUR_BRANCHES } from "../domain/markers.ts";
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
const MOST_CARDS = 100;
/** Parents and dependencies in other repositories change without a trace in this one, and so do checks. */
const LONGEST_UNREAD_MS = 15 * 60_000;

/** Decides whether the board must be read again. */
export function decideReading(snapshot: ReadingSnapshot): ReadingDecision {
  const { now, reading, unread, isNews, signals } = snapshot;
  if (reading === undefined || unread) return { kind: "read" };
  if (!isNews) return { kind: "keep" };
  if (signals.some((signal) => !isOfSomeCard(signal))) return { kind: "read" };
  const isOld = now - reading.readAt > LONGEST_UNREAD_MS;
  return { kind: isOld && !tellsAll(reading) ? "read" : "ask" };
}

/** A card that was new to us may be any repository's, so the board is asked whose it is. */
function isOfSomeCard({ event, repo }: Signal): boolean {
  return event === "projects_v2_item" && repo === undefined;
}

/** The checks of a pull request of ours may fail without a trace on the board or among the issues. */
function tellsAll({ board, pulls }: RepoReading): boolean {
  return (
    board.tellsChanges === true && !pulls.some(({ branch }) => branch.startsWith(OUR_BRANCHES))
  );
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
  const cards = reading?.board.cards.length ?? 0;
  // Of a large project only what changed is read.
  const counted = reading?.board.tellsChanges === true ? Math.min(cards, MOST_CARDS) : cards;
  return PAUSE_MS + PAUSE_PER_CARD_MS * counted;
}
