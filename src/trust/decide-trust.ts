import type { Deed, Edit, Provenance } from "../domain/provenance.ts";

export type Verdict =
  { readonly kind: "trusted" } | { readonly kind: "untrusted"; readonly reason: string };

/** Everyone whose permission decides; nobody else is asked about. */
export function peopleToAsk({ madeReady, edits }: Provenance): readonly string[] {
  if (madeReady === undefined) return [];
  const deeds = [madeReady, ...editsSince(madeReady, edits)].filter((deed) => !deed.automated);
  return [...new Set(deeds.flatMap(({ by }) => by ?? []))];
}

/**
 * Whoever makes an issue ready vouches for what it says at that moment; later edits need a writer of their own. Unknown is never
 * trusted: an account that is gone, a record that is missing, a rule of the board.
 */
export function decideTrust(provenance: Provenance, writers: ReadonlySet<string>): Verdict {
  const { madeReady, edits } = provenance;
  if (madeReady === undefined) {
    return untrusted("nobody is on record for making it ready; someone with write access has to");
  }
  if (!maySpeak(madeReady, writers)) {
    return untrusted(
      `made ready by ${nameOf(madeReady)}; someone with write access has to do that`,
    );
  }
  const foreign = editsSince(madeReady, edits).find((edit) => !maySpeak(edit, writers));
  if (foreign === undefined) return { kind: "trusted" };
  return untrusted(
    `its ${foreign.what} changed after it was made ready, by ${nameOf(foreign)}; making it ready again accepts that`,
  );
}

/** Times have a resolution of a second: what happened in the same second may have come after. */
function editsSince({ at }: Deed, edits: readonly Edit[]): readonly Edit[] {
  return edits.filter((edit) => edit.at >= at);
}

function maySpeak({ by, automated }: Deed, writers: ReadonlySet<string>): boolean {
  return !automated && by !== undefined && writers.has(by);
}

function nameOf({ by, automated }: Deed): string {
  if (by === undefined) return "an account that is gone";
  return automated ? `the program ${by}` : `${by}, who has no write access`;
}

function untrusted(reason: string): Verdict {
  return { kind: "untrusted", reason };
}
