import { it } from "vitest";
import { share } from "./proofs.ts";

/** One of a kind that another test stands for: `npm test` skips it, `npm run test:ci` does not. */
export const further = it.skipIf(share() === "test");

/** The first stands for all of a kind in `npm test`. */
export function some<T>(all: readonly T[]): readonly T[] {
  return share() === "test" ? all.slice(0, 1) : all;
}
