import { intersectSets, pointsOf, setHas } from "./code-points.ts";
import type { PathPattern, Segment, Token } from "./path-pattern.ts";
import { StarredSequences } from "./starred-sequence.ts";
import type { Starred } from "./starred-sequence.ts";

/** This stands for a star of the inner pattern, which only a star of the outer one can take. */
const GAP = Symbol("gap");

const characters = new StarredSequences<Token | typeof GAP>(tokenContains);
const segments = new StarredSequences<Segment | typeof GAP>(segmentContains);

/**
 * Tells whether every path of the inner pattern is one of the outer pattern's. The answer is sound, not complete:
 * it reads the inner pattern itself as a path of the outer one.
 */
export function patternContains(outer: PathPattern, inner: PathPattern): boolean {
  return segments.meet(outer.blocks, [withGaps(inner.blocks)]);
}

function segmentContains(outer: Segment | typeof GAP, inner: Segment | typeof GAP): boolean {
  if (outer === GAP || inner === GAP) return false;
  if (typeof outer === "string") return outer === inner;
  const points = typeof inner === "string" ? pointsOf(inner) : withGaps(inner.blocks);
  return characters.meet(outer.blocks, [points]);
}

function tokenContains(outer: Token | typeof GAP, inner: Token | typeof GAP): boolean {
  if (outer === GAP || inner === GAP) return false;
  if (typeof inner === "number") return outer === inner || (isSet(outer) && setHas(outer, inner));
  return isSet(outer) && intersectSets(outer, inner).join() === inner.join();
}

function isSet(token: Token): token is Exclude<Token, number> {
  return typeof token !== "number";
}

function withGaps<T>(blocks: Starred<T>): (T | typeof GAP)[] {
  return blocks.flatMap((block, i): (T | typeof GAP)[] => (i === 0 ? [...block] : [GAP, ...block]));
}
