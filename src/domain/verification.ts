import type { Batch } from "./entry.ts";
import type { Sha, Instant, RepoName } from "./ids.ts";

/** A verification outlives the tick that starts it. */
export type Verification =
  | { readonly kind: "batch"; readonly batch: Batch }
  | { readonly kind: "base"; readonly commit: Sha; readonly tree: Sha }
  /** GitHub's own merge queue made this group. */
  | { readonly kind: "group"; readonly commit: Sha };

/** Says how one verification of one tree ended: the same tree and command need no second one. */
export interface Verdict {
  readonly id: string;
  readonly repo: RepoName;
  readonly tree: Sha;
  /** The hash covers everything that decides the result. */
  readonly commandHash: string;
  readonly command: string;
  readonly verdict: "green" | "red" | "timed-out";
  readonly tail: string;
  /** This file has all of the output, on the server that verified; it is undefined where no command ran. */
  readonly logPath: string | undefined;
  readonly startedAt: Instant;
  readonly at: Instant;
}

type AnyVerdict = Pick<Verdict, "verdict">;

/** A tree is red only when it was red twice: one failure may be chance. */
const REDS_THAT_COUNT = 2;
/** A verification that does not end says nothing of a change at first. */
const TIMEOUTS_THAT_COUNT = 3;

/** The commit under verification names it: starting the same one twice is harmless. */
export function commitOf(verification: Verification): Sha {
  return verification.kind === "batch" ? verification.batch.candidate.commit : verification.commit;
}

/** Says what is known of a tree. `unknown` is neither green nor red. */
export function knownVerdict(verdicts: readonly AnyVerdict[]): "green" | "red" | "unknown" {
  if (verdicts.some(({ verdict }) => verdict === "green")) return "green";
  return countOf(verdicts, "red") >= REDS_THAT_COUNT ? "red" : "unknown";
}

export function failedOnce(verdicts: readonly AnyVerdict[]): boolean {
  return countOf(verdicts, "red") > 0 && knownVerdict(verdicts) !== "green";
}

export function neverEnds(verdicts: readonly AnyVerdict[]): boolean {
  return countOf(verdicts, "timed-out") >= TIMEOUTS_THAT_COUNT;
}

function countOf(verdicts: readonly AnyVerdict[], wanted: Verdict["verdict"]): number {
  return verdicts.filter(({ verdict }) => verdict === wanted).length;
}
