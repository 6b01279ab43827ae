import type { EntryId, Instant, RepoName, Sha, TrainId } from "./ids.ts";
import { trainId } from "./ids.ts";

export type TrainState = "running" | "paused" | "halted";

/** A red base ends by itself when the base turns green; the others wait for a person. */
export type HaltCause = "red-base" | "integrity-breach" | "permission";

/** The serialized queue of one base branch: what it remembers besides its entries. */
export interface Train {
  readonly id: TrainId;
  readonly repo: RepoName;
  readonly base: string;
  readonly state: TrainState;
  /** Why it is in this state, as a sentence. */
  readonly reason: string;
  /** Who paused it. */
  readonly by: string | undefined;
  readonly cause: HaltCause | undefined;
  /** The commit of the base branch that it halted at. */
  readonly haltedAt: Sha | undefined;
  /** How many entries the next batch may have, where `train.batch` allows so many: one more after a green batch, half after a red one. */
  readonly size: number;
  /** Groups of entries that failed together, the next to be verified first. */
  readonly suspects: readonly (readonly EntryId[])[];
  /** The last verdicts on batches, newest last: `g` or `r`. */
  readonly verdicts: string;
  /** Red verdicts on the base from before do not count: someone resumed the train since. */
  readonly redsFrom: Instant;
  readonly changedAt: Instant;
}

/** As many verdicts as the failure rate is estimated from. */
const REMEMBERED = 50;

/** More than any `train.batch`: until something fails, only that says how many go together. */
const NOTHING_FAILED = 1_000_000;

const NEXT: Readonly<Record<TrainState, readonly TrainState[]>> = {
  running: ["running", "paused", "halted"],
  paused: ["paused", "running", "halted"],
  halted: ["halted", "running", "paused"],
};

export function trainMayFollow(from: TrainState, to: TrainState): boolean {
  return NEXT[from].includes(to);
}

export function trainIdOf(repo: RepoName, base: string): TrainId {
  return trainId(`${repo}@${base}`);
}

export function newTrain(repo: RepoName, base: string, now: Instant): Train {
  return {
    ...{ id: trainIdOf(repo, base), repo, base, state: "running", reason: "new" },
    ...{ by: undefined, cause: undefined, haltedAt: undefined },
    ...{ size: NOTHING_FAILED, suspects: [], verdicts: "" },
    ...{ redsFrom: now, changedAt: now },
  };
}

export function withVerdict(verdicts: string, verdict: "g" | "r"): string {
  return `${verdicts}${verdict}`.slice(-REMEMBERED);
}
