import type { Candidate, Entry } from "../domain/entry.ts";
import type { BatchId, Sha } from "../domain/ids.ts";

/** Entries that are verified and landed together, in their order. */
export interface Batch {
  readonly id: BatchId;
  readonly entries: readonly Entry[];
  readonly candidate: Candidate;
}

/** Batches as the entries remember them; one that lost a member is not whole any more. */
export function batchesOf(entries: readonly Entry[]): readonly Batch[] {
  const groups = new Map<BatchId, { candidate: Candidate; entries: Entry[] }>();
  for (const entry of entries) {
    const { batch, candidate } = entry;
    if (batch === undefined || candidate === undefined) continue;
    const group = groups.get(batch) ?? { candidate, entries: [] };
    group.entries.push(entry);
    groups.set(batch, group);
  }
  return [...groups].map(([id, { candidate, entries: members }]) => ({
    id,
    candidate,
    entries: members.toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0)),
  }));
}

/** All of its entries, and all in the same state: part of a batch was never verified. */
export function isWhole({ entries, candidate }: Batch): boolean {
  const states = new Set(entries.map(({ state }) => state));
  const inPlace = candidate.steps.every((step, at) => entries[at]?.id === step.entry);
  return states.size === 1 && entries.length === candidate.steps.length && inPlace;
}

/** The whole batches that stand one on top of the other, the first on the base's tip; `void` are those that do not. */
export function chainFrom(
  tip: Sha,
  batches: readonly Batch[],
): { readonly chain: readonly Batch[]; readonly void: readonly Batch[] } {
  const chain: Batch[] = [];
  const onTopOf = (commit: Sha): Batch | undefined =>
    batches.find(
      (batch) => isWhole(batch) && batch.candidate.base === commit && !chain.includes(batch),
    );
  let next = onTopOf(tip);
  while (next !== undefined) {
    chain.push(next);
    next = onTopOf(next.candidate.commit);
  }
  return { chain, void: batches.filter((batch) => !chain.includes(batch)) };
}

/** `#4, #7`. */
export function namesOf(names: readonly string[]): string {
  return names.join(", ");
}
