import { failureClassOf } from "./failure.ts";
import type { Run } from "./run.ts";

/** The best of the candidates of one attempt: succeeded, then the higher score, then fewer changed files, then the lower number. */
export function decidePromotion(candidates: readonly Run[]): Run | undefined {
  return candidates.filter(({ outcome }) => outcome !== undefined).toSorted(compareCandidates)[0];
}

function compareCandidates(a: Run, b: Run): number {
  const [x, y] = [ranksOf(a), ranksOf(b)];
  const differing = x.findIndex((rank, at) => rank !== y[at]);
  return differing === -1 ? 0 : (x[differing] ?? 0) < (y[differing] ?? 0) ? -1 : 1;
}

/** Lower is better. One without a score comes after all that have one. */
function ranksOf({ outcome, candidate }: Run): readonly number[] {
  if (outcome?.kind !== "succeeded") return [rankOfFailure(outcome), 0, 0, candidate];
  const { score, files } = outcome;
  return [0, score === undefined ? Infinity : -score, files.length, candidate];
}

/** If none succeeded, one that failed says more than one that was interrupted. */
function rankOfFailure(outcome: Run["outcome"]): number {
  const failed = outcome !== undefined && failureClassOf(outcome) !== undefined;
  return failed ? 1 : 2;
}
