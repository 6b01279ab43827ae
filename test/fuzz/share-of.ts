import { SEED, times } from "../support/proofs.ts";

/** Runs of a property that has this part of all texts. */
export function shareOf(part: number): { readonly numRuns: number; readonly seed: number } {
  const all = times({ test: 5_000, ci: 100_000, long: 1_000_000 });
  return { numRuns: Math.ceil(all * part), seed: SEED };
}
