import type { EntryId, Instant, RepoName, Sha, TaskId } from "./ids.ts";

export type EntryState =
  "queued" | "verifying" | "verified" | "landing" | "landed" | "rejected" | "superseded";

/** The commit that would become the base branch, and what it was made of. */
export interface Candidate {
  readonly base: Sha;
  readonly head: Sha;
  readonly tree: Sha;
  readonly commit: Sha;
}

/** Proof that exactly this candidate was verified. */
export interface Evidence {
  readonly candidate: Candidate;
  readonly command: string;
  readonly verdict: "green" | "red";
  readonly tail: string;
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
}

/** One change in the train of one base branch. */
export interface Entry {
  readonly id: EntryId;
  readonly repo: RepoName;
  readonly base: string;
  readonly task: TaskId;
  readonly pull: number;
  /** Pinned when the approval was seen: nothing else may land under this entry. */
  readonly head: Sha;
  readonly approvedBy: readonly string[];
  readonly state: EntryState;
  readonly reason: string;
  readonly evidence: Evidence | undefined;
  readonly landedSha: Sha | undefined;
  readonly enqueuedAt: Instant;
  readonly changedAt: Instant;
}

const NEXT: Readonly<Record<EntryState, readonly EntryState[]>> = {
  queued: ["verifying", "rejected", "superseded", "landed"],
  verifying: ["verified", "rejected", "queued", "superseded", "landed"],
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
