/** Runs of a property out of 20,000 texts in all; FUZZ_RUNS asks for more of them: `npm run test:ci` for 100,000. */
export function shareOf(part: number): { readonly numRuns: number; readonly seed: number } {
  const all = Number(process.env.FUZZ_RUNS ?? 20_000);
  return { numRuns: Math.ceil(all * part), seed: Number(process.env.FUZZ_SEED ?? 20_261_116) };
}
