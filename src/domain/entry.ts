import type { BatchId, EntryId, Instant, RepoName, Sha, TaskId } from "./ids.ts";

export type EntryState =
  "queued" | "verifying" | "verified" | "landing" | "landed" | "rejected" | "superseded";

/** How the commits of a change come to the base branch. */
export type LandingMethod = "merge" | "squash" | "rebase";

/** One entry's part of a candidate: its head on top of everything before it. */
export interface CandidateStep {
  readonly entry: EntryId;
  readonly head: Sha;
  readonly commit: Sha;
  readonly tree: Sha;
}

/** The commit that would become the base branch: base plus the entries under test, in their order. */
export interface Candidate {
  readonly base: Sha;
  readonly method: LandingMethod;
  readonly steps: readonly CandidateStep[];
  /** Of the last step. */
  readonly tree: Sha;
  readonly commit: Sha;
}

/** Proof that exactly this candidate was verified. */
export interface Evidence {
  readonly candidate: Candidate;
  readonly command: string;
  readonly verdict: "green" | "red";
  /** Checks by others that it rests on, by name. */
  readonly checks?: readonly string[];
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
  /** Undefined for a commit that lands without one. */
  readonly pull: number | undefined;
  /** Pinned when the approval was seen: nothing else may land under this entry. */
  readonly head: Sha;
  readonly approvedBy: readonly string[];
  readonly state: EntryState;
  readonly reason: string;
  /** The batch it is verified and landed with, and its place in there, from 0. */
  readonly batch: BatchId | undefined;
  readonly place: number | undefined;
  /** Of the whole batch; the same for all its entries. */
  readonly candidate: Candidate | undefined;
  readonly evidence: Evidence | undefined;
  /** What sent it back to the queue may last: it is not tried again before this. */
  readonly notBefore: Instant | undefined;
  readonly landedSha: Sha | undefined;
  readonly enqueuedAt: Instant;
  readonly changedAt: Instant;
}

const NEXT: Readonly<Record<EntryState, readonly EntryState[]>> = {
  // To itself: what it waits for is news, too.
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

/** `#12`, or the task where there is no pull request. */
export function entryName({ pull, task }: Pick<Entry, "pull" | "task">): string {
  return pull === undefined ? task : `#${pull}`;
}
