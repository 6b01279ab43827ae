import { trainId } from "./ids.ts";
import type { EntryId, Instant, RepoName, Sha, TrainId } from "./ids.ts";

export type TrainState = "running" | "paused" | "halted";

/** A red base ends by itself when the base turns green; the others wait for a person. */
export type HaltCause = "red-base" | "integrity-breach" | "permission";

/** A train is the serialized queue of one base branch; its entries are kept apart from it. */
export interface Train {
  readonly id: TrainId;
  readonly repo: RepoName;
  readonly base: string;
  readonly state: TrainState;
  /** A sentence says why it is in this state. */
  readonly reason: string;
  /** This person paused it. */
  readonly by: string | undefined;
  readonly cause: HaltCause | undefined;
  /** It last halted at this commit of the base branch. The base has not moved since, as far as the train has looked. */
  readonly haltedAt: Sha | undefined;
  /** The end of the output that made it halt, and the file that has all of it, where it halted because of a command. */
  readonly tail: string | undefined;
  readonly logPath: string | undefined;
  /** The next batch may have so many entries, where `train.batch` allows them: one more after a green batch, half after a red one. */
  readonly size: number;
  /** These groups of entries failed together; the next to be verified comes first. */
  readonly suspects: readonly (readonly EntryId[])[];
  /** It holds the last verdicts on batches, newest last: `g` or `r`. */
  readonly verdicts: string;
  /** Red verdicts on the base from before do not count: someone resumed the train since. */
  readonly redsFrom: Instant;
  readonly changedAt: Instant;
}

/** The failure rate is estimated from this many verdicts. */
const MAX_VERDICTS = 50;

/** It is more than any `train.batch`: until something fails, only that setting says how many entries go together. */
const UNLIMITED_SIZE = 1_000_000;

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
    id: trainIdOf(repo, base),
    repo,
    base,
    state: "running",
    reason: "new",
    by: undefined,
    cause: undefined,
    haltedAt: undefined,
    tail: undefined,
    logPath: undefined,
    size: UNLIMITED_SIZE,
    suspects: [],
    verdicts: "",
    redsFrom: now,
    changedAt: now,
  };
}

/** Clears the members that a train has only while it is halted. */
export const NOT_HALTED = { cause: null, tail: null, logPath: null } as const;

const WAY_ON: Readonly<Record<HaltCause, string>> = {
  "red-base":
    "it goes on by itself when that is green again; mend the branch, or say /resume to verify it anew",
  "integrity-breach": "look at it, then say /resume",
  permission: "let the app do that, or set train.landing, then say /resume",
};

/** Tells everyone in a standing train who stopped it, or why it stands, and what makes it go on. */
export function wordStanding({ state, base, reason, by, cause }: Train): string {
  const who = by === undefined ? "" : ` by ${by}`;
  const why = reason === "" ? "" : `: ${reason}`;
  const then =
    cause === undefined || state !== "halted" ? "until someone says /resume" : WAY_ON[cause];
  return `the train of ${base} is ${state}${who}${why}; ${then}`;
}

export function withVerdict(verdicts: string, verdict: "g" | "r"): string {
  return `${verdicts}${verdict}`.slice(-MAX_VERDICTS);
}
