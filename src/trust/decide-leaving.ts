import type { Gesture, Move, Provenance } from "../domain/provenance.ts";
import { maySpeak, nameOf } from "./decide-trust.ts";

/** Whether it counts that the card of an accepted task is not where its work keeps it. */
export type LeavingVerdict =
  | { readonly kind: "counts" }
  /** Somebody without the right to it did that: the work goes on. */
  | { readonly kind: "disregarded"; readonly reason: string }
  /** GitHub does not say who did: what runs goes on, and nothing new starts. */
  | { readonly kind: "unknown"; readonly reason: string };

/** Leaving needs the right that entering needs. An issue that is gone has nobody to ask about: only people with the right can do that. */
export function decideLeaving(
  provenance: Provenance | undefined,
  accepted: Gesture,
  writers: ReadonlySet<string>,
): LeavingVerdict {
  if (provenance === undefined) return { kind: "counts" };
  const moves = provenance.moves.filter(({ at }) => at >= accepted.at);
  if (isTakenBack(moves, writers)) return { kind: "counts" };
  const last = moves.findLast((move) => LEAVING.has(move.to) && !maySpeak(move, writers));
  if (last === undefined) return { kind: "unknown", reason: UNKNOWN };
  return {
    kind: "disregarded",
    reason: `${DEEDS[last.to] ?? "its card was moved away"} by ${nameOf(last)}: that does not count, and the work goes on; /cancel ends it`,
  };
}

const UNKNOWN =
  "its card is not where it was, and GitHub does not say who did that: put it back, or say /cancel";

const LEAVING: ReadonlySet<Move["to"]> = new Set(["away", "gone", "closed"]);

const DEEDS: Readonly<Partial<Record<Move["to"], string>>> = {
  away: "its card was moved away",
  gone: "its card was taken off the board",
  closed: "its issue was closed",
};

/** What people with the right to it did last, as if nobody else had done anything. */
function isTakenBack(moves: readonly Move[], writers: ReadonlySet<string>): boolean {
  let isAway = false;
  let isClosed = false;
  for (const move of moves) {
    if (move.to === "reopened") isClosed = false;
    else if (!maySpeak(move, writers)) continue;
    else if (move.to === "closed") isClosed = true;
    else isAway = LEAVING.has(move.to);
  }
  return isAway || isClosed;
}
