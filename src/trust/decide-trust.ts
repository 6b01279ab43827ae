import type { Deed, Edit, Gesture, Move, Provenance } from "../domain/provenance.ts";

/** Tells whether somebody with the right to it stands behind what a card asks for. */
export type TrustDecision =
  | { readonly kind: "trusted"; readonly gesture: Gesture }
  | { readonly kind: "untrusted"; readonly reason: string };

/** This is known of the issue besides GitHub's records. */
export interface Asked {
  /** This gesture stands for it as long as it does not end. */
  readonly accepted: Gesture | undefined;
  /** Gestures up to this moment are used up. */
  readonly after: number | undefined;
  /** Its title and body are what was accepted, to the letter. */
  readonly sameText: boolean;
  /** Someone with the right to it accepts it by this command. */
  readonly command?: Gesture;
}

/** Tells whether it counts that the card of an accepted task is not where its work keeps it. */
export type LeavingDecision =
  | { readonly kind: "counts" }
  /** Somebody without the right to it did that: the work goes on. */
  | { readonly kind: "disregarded"; readonly reason: string }
  /** GitHub does not say who did: what runs goes on, and nothing new starts. */
  | { readonly kind: "unknown"; readonly reason: string };

/**
 * Whoever makes an issue ready vouches for what it says at that moment; every later edit needs someone with the right of its own,
 * and an edit on top of a stranger's accepts nothing of theirs. Unknown is never trusted: an account that is gone, a record that is
 * missing, a rule of the board.
 */
export function decideTrust(
  provenance: Provenance,
  asked: Asked,
  writers: ReadonlySet<string>,
): TrustDecision {
  const gesture = gestureFor(provenance, asked, writers);
  if (gesture === undefined) return untrusted(unready(provenance));
  if (!(gesture.at > provenance.completeSince)) {
    return untrusted(
      "more was done to it since it was made ready than GitHub tells; making it ready again accepts it as it is then",
    );
  }
  const foreign = editsSince(gesture, provenance)
    .filter(({ what }) => what === "labels" || !asked.sameText)
    .find((edit) => !maySpeak(edit, writers));
  if (foreign === undefined) return { kind: "trusted", gesture };
  return untrusted(
    `its ${foreign.what} changed after it was made ready, by ${nameOf(foreign)}; making it ready again accepts that`,
  );
}

/** Returns the newest gesture that counts. */
export function gestureFor(
  { moves }: Provenance,
  { accepted, after = -Infinity, command }: Asked,
  writers: ReadonlySet<string>,
): Gesture | undefined {
  const moved = standingGesture(moves, writers);
  return [accepted, moved !== undefined && moved.at > after ? moved : undefined, command]
    .filter((gesture) => gesture !== undefined)
    .toSorted((a, b) => a.at - b.at)
    .at(-1);
}

/** Times have a resolution of a second: an edit in the same second, or at no known time, may have come after. */
export function editsSince({ at }: Gesture, { edits }: Provenance): readonly Edit[] {
  return edits.filter((edit) => !(edit.at < at));
}

/** Leaving needs the right that entering needs. An issue that is gone has nobody to ask about: only people with the right can do that. */
export function decideLeaving(
  provenance: Provenance | undefined,
  accepted: Gesture,
  writers: ReadonlySet<string>,
): LeavingDecision {
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

/** Whoever moved the card last has to be the one who made it ready. */
function standingGesture(
  moves: readonly Move[],
  writers: ReadonlySet<string>,
): Gesture | undefined {
  const last = moves.findLast(({ to }) => to !== "closed" && to !== "reopened");
  // The card was added straight into the column: the board keeps no other record of it.
  if (last?.to !== "ready" && last?.to !== "added") return undefined;
  const { by, at } = last;
  return by === undefined || !maySpeak(last, writers) ? undefined : { by, at };
}

function unready({ moves }: Provenance): string {
  const last = moves.findLast(({ to }) => to === "ready" || to === "added");
  if (last === undefined) {
    return "nobody is on record for making it ready; someone with write access has to";
  }
  return `made ready by ${nameOf(last)}; someone with write access has to do that`;
}

function maySpeak({ by, automated }: Deed, writers: ReadonlySet<string>): boolean {
  return !automated && by !== undefined && writers.has(by);
}

function nameOf({ by, automated }: Deed): string {
  if (by === undefined) return "an account that is gone";
  return automated ? `the program ${by}` : `${by}, who has no write access`;
}

function untrusted(reason: string): TrustDecision {
  return { kind: "untrusted", reason };
}

const UNKNOWN =
  "its card is not where it was, and GitHub does not say who did that: put it back, or say /cancel";

const LEAVING: ReadonlySet<Move["to"]> = new Set(["away", "gone", "closed"]);

const DEEDS: Readonly<Partial<Record<Move["to"], string>>> = {
  away: "its card was moved away",
  gone: "its card was taken off the board",
  closed: "its issue was closed",
};

/** Looks at what people with the right to it did last, as if nobody else had done anything. */
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
