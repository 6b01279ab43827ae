import type { Instant, RepoName, Sha } from "./ids.ts";

/** What one verification said of one tree: the same tree and command need no second one. */
export interface Verdict {
  readonly id: string;
  readonly repo: RepoName;
  readonly tree: Sha;
  /** Of everything that decides the result. */
  readonly commandHash: string;
  readonly command: string;
  readonly verdict: "green" | "red" | "timed-out";
  readonly tail: string;
  readonly startedAt: Instant;
  readonly at: Instant;
}

type Said = Pick<Verdict, "verdict">;

/** Red only when it was red twice: one failure may be chance. */
const REDS_THAT_COUNT = 2;
/** A verification that does not end says nothing of a change at first. */
const TIMEOUTS_THAT_COUNT = 3;

/** What is known of a tree. `unknown` is neither green nor red. */
export function knownVerdict(verdicts: readonly Said[]): "green" | "red" | "unknown" {
  if (verdicts.some(({ verdict }) => verdict === "green")) return "green";
  return countOf(verdicts, "red") >= REDS_THAT_COUNT ? "red" : "unknown";
}

export function failedOnce(verdicts: readonly Said[]): boolean {
  return countOf(verdicts, "red") > 0 && knownVerdict(verdicts) !== "green";
}

export function neverEnds(verdicts: readonly Said[]): boolean {
  return countOf(verdicts, "timed-out") >= TIMEOUTS_THAT_COUNT;
}

function countOf(verdicts: readonly Said[], wanted: Verdict["verdict"]): number {
  return verdicts.filter(({ verdict }) => verdict === wanted).length;
}
