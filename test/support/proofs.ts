/** What is proved by repetition: `npm test` does a small share, `npm run test:ci` (part of `.ci/run`) a larger one, `npm run test:long` all. */
interface Counts {
  readonly test: number;
  readonly ci: number;
  readonly long: number;
}

/** Which of them is asked for. */
export function share(): keyof Counts {
  const { PROOFS = "test" } = process.env;
  if (PROOFS !== "test" && PROOFS !== "ci" && PROOFS !== "long")
    throw new Error(`PROOFS is test, ci or long, not ${PROOFS}`);
  return PROOFS;
}

/** How many times to repeat a proof. TIMES=n asks for exactly so many. */
export function times(counts: Counts): number {
  const { TIMES } = process.env;
  return TIMES === undefined ? counts[share()] : Number(TIMES);
}

/** Everything that is drawn is drawn from it, so that a failure happens again; SEED=n draws other things. */
export const SEED = Number(process.env.SEED ?? 20_261_116);
