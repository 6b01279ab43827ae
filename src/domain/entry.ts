import type { BatchId, EntryId, Instant, RepoName, Sha, TaskId } from "./ids.ts";

export type EntryState =
  "queued" | "verifying" | "verified" | "landing" | "landed" | "rejected" | "superseded";

/** The commits of a change come to the base branch in one of these ways. */
export type LandingMethod = "merge" | "squash" | "rebase";

/** A step is one entry's part of a candidate: its head on top of everything before it. */
export interface CandidateStep {
  readonly entry: EntryId;
  readonly head: Sha;
  readonly commit: Sha;
  readonly tree: Sha;
}

/** A candidate is the commit that would become the base branch: the base plus the entries under test, in their order. */
export interface Candidate {
  readonly base: Sha;
  readonly method: LandingMethod;
  readonly steps: readonly CandidateStep[];
  /** It is the tree of the last step. */
  readonly tree: Sha;
  readonly commit: Sha;
}

/** Evidence proves that exactly this candidate was verified. */
export interface Evidence {
  readonly candidate: Candidate;
  readonly command: string;
  readonly verdict: "green" | "red";
  /** It rests on these checks by others, by name. */
  readonly checks?: readonly string[];
  readonly tail: string;
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
}

/** An entry is one change in the train of one base branch. */
export interface Entry {
  readonly id: EntryId;
  readonly repo: RepoName;
  readonly base: string;
  readonly task: TaskId;
  /** It is undefined for a commit that lands without a pull request. */
  readonly pull: number | undefined;
  /** It is pinned when the approval was seen: nothing else may land under this entry. */
  readonly head: Sha;
  readonly approvedBy: readonly string[];
  readonly state: EntryState;
  readonly reason: string;
  /** It is verified and landed with this batch; its place in there counts from 0. */
  readonly batch: BatchId | undefined;
  readonly place: number | undefined;
  /** The candidate is that of the whole batch; it is the same for all its entries. */
  readonly candidate: Candidate | undefined;
  readonly evidence: Evidence | undefined;
  /** The reason that sent it back to the queue may last: it is not tried again before this. */
  readonly notBefore: Instant | undefined;
  /** GitHub refused to land it under these circumstances: while they last, it is hardly asked again. */
  readonly refusedUnder: string | undefined;
  readonly landedSha: Sha | undefined;
  readonly enqueuedAt: Instant;
  readonly changedAt: Instant;
}

/** A batch has the entries that are verified and landed together, in their order. */
export interface Batch {
  readonly id: BatchId;
  readonly entries: readonly Entry[];
  readonly candidate: Candidate;
}

const NEXT: Readonly<Record<EntryState, readonly EntryState[]>> = {
  // It follows itself when it waits for something new.
  queued: ["queued", "verifying", "rejected", "superseded", "landed"],
  verifying: ["verifying", "verified", "rejected", "queued", "superseded", "landed"],
  verified: ["landing", "queued", "superseded", "landed"],
  landing: ["landed", "queued", "rejected", "superseded"],
  landed: [],
  rejected: [],
  superseded: [],
};

export function entryMayFollow(from: EntryState, to: EntryState): boolean {
  return NEXT[from].includes(to);
}

export function isOpenEntry(state: EntryState): boolean {
  return NEXT[state].length > 0;
}

/** Returns `#12`, or the task where there is no pull request. */
export function entryName({
  pull,
  task,
}: {
  readonly pull: number | undefined;
  readonly task: string;
}): string {
  return pull === undefined ? task : `#${pull}`;
}

/** Finds the batches that the entries remember; one that lost a member is not whole any more. */
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

/** A whole batch has all of its entries, and all in the same state. A part of a batch was never verified. */
export function isWhole({ entries, candidate }: Batch): boolean {
  const states = new Set(entries.map(({ state }) => state));
  const inPlace = candidate.steps.every((step, at) => entries[at]?.id === step.entry);
  return states.size === 1 && entries.length === candidate.steps.length && inPlace;
}

/** Returns the whole batches that stand one on top of the other, the first on the base's tip; `void` has those that do not. */
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

/** Joins names as in `#4, #7`. */
export function namesOf(names: readonly string[]): string {
  return names.join(", ");
}
