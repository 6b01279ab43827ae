import type { PathPattern, Segment } from "../domain/claim/path-pattern.ts";
import { fileNameOf, literalPrefix } from "../domain/claim/path-pattern.ts";

/** One pattern and the tasks that claim it with the same exclusions. */
export interface IndexedPattern {
  /** In order of first sight. */
  readonly id: number;
  readonly pattern: PathPattern;
  readonly exclusions: readonly PathPattern[];
  readonly writers: number[];
  readonly readers: number[];
}

/** The plain names that are followed by something. */
export function directoryNames({ blocks }: PathPattern): string[] {
  const names = blocks.flat();
  if (fileNameOf({ blocks }) !== undefined) names.pop();
  return names.filter((segment) => typeof segment === "string");
}

/**
 * Whether a pattern is a path, or all below a path. It then meets every pattern that spells out the same path
 * and goes on: a file that others declare something below is a directory after all.
 */
export function isWhole({ pattern, exclusions }: IndexedPattern): boolean {
  const [first = [], second, ...more] = pattern.blocks;
  if (exclusions.length > 0 || more.length > 0) return false;
  if (literalPrefix(pattern).length !== first.length) return false;
  return second === undefined || second.length === 0 || (second.length === 1 && isAnyName(second));
}

/** Stands for the time that comparing takes: the characters outside of plain names. */
export function patternWeight({ blocks }: PathPattern): number {
  let weight = 0;
  for (const segment of blocks.flat()) {
    weight += typeof segment === "string" ? 1 : segment.blocks.flat().length + 1;
  }
  return weight;
}

function isAnyName([only]: readonly Segment[]): boolean {
  return typeof only === "object" && only.blocks.length === 2 && only.blocks.flat().length === 0;
}
