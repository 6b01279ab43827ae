import type { Deed, Edit, Gesture, Move, Provenance } from "../domain/provenance.ts";

/** Whether somebody with the right to it stands behind what a card asks for. */
export type Verdict =
  | { readonly kind: "trusted"; readonly gesture: Gesture }
  | { readonly kind: "untrusted"; readonly reason: string };

/** What is known of the issue besides GitHub's records. */
export interface Asked {
  /** The gesture that stands for it as long as it does not end. */
  readonly accepted: Gesture | undefined;
  /** Gestures up to this moment are used up. */
  readonly after: number | undefined;
  /** Its title and body are what was accepted, to the letter. */
  readonly sameText: boolean;
  /** A command that accepts it, by someone with the right to that. */
  readonly command?: Gesture;
}

/**
 * Whoever makes an issue ready vouches for what it says at that moment; every later edit needs someone with the right of its own,
 * and an edit on top of a stranger's accepts nothing of theirs. Unknown is never trusted: an account that is gone, a record that is
 * missing, a rule of the board.
 */
export function decideTrust(
  provenance: Provenance,
  asked: Asked,
  writers: ReadonlySet<string>,
): Verdict {
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

/** The newest gesture that counts. */
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

/** Times have a resolution of a second: what happened in the same second, or at no known time, may have come after. */
export function editsSince({ at }: Gesture, { edits }: Provenance): readonly Edit[] {
  return edits.filter((edit) => !(edit.at < at));
}

/** Whoever moved the card last has to be the one who made it ready. */
function standingGesture(
  moves: readonly Move[],
  writers: ReadonlySet<string>,
): Gesture | undefined {
  const last = moves.findLast(({ to }) => to !== "closed" && to !== "reopened");
  // Added straight into the column: the board keeps no other record of it.
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

export function maySpeak({ by, automated }: Deed, writers: ReadonlySet<string>): boolean {
  return !automated && by !== undefined && writers.has(by);
}

export function nameOf({ by, automated }: Deed): string {
  if (by === undefined) return "an account that is gone";
  return automated ? `the program ${by}` : `${by}, who has no write access`;
}

function untrusted(reason: string): Verdict {
  return { kind: "untrusted", reason };
}
