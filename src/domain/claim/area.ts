import type { PathPattern } from "../glob/path-pattern.ts";
import { patternContains } from "../glob/pattern-contains.ts";
import { patternCovers } from "../glob/patterns-meet.ts";

/** An area is made of whole parts of a tree: all that its patterns name, and everything below. */
export interface Area {
  /** These patterns end with `**`. */
  readonly patterns: readonly PathPattern[];
  /** Patterns that are one name anywhere are kept as names: looking up a name is cheap. */
  readonly names: ReadonlySet<string>;
}

export const NO_AREA: Area = { patterns: [], names: new Set() };

/** It expects patterns as `excludedPaths` makes them. */
export function areaOf(patterns: readonly PathPattern[]): Area {
  if (patterns.length === 0) return NO_AREA;
  const names = patterns.map(anywhereName).filter((name) => name !== undefined);
  return {
    patterns: patterns.filter((pattern) => anywhereName(pattern) === undefined),
    names: new Set(names),
  };
}

/** Tells whether every path of the pattern is in the area. The answer is sound, not complete. */
export function isWithin(pattern: PathPattern, area: Area): boolean {
  if (area === NO_AREA) return false;
  if (spellsOneOf(pattern, area.names)) return true;
  return area.patterns.some((whole) => patternContains(whole, pattern));
}

export function areaCovers({ patterns, names }: Area, path: readonly string[]): boolean {
  return (
    path.some((name) => names.has(name)) || patterns.some((pattern) => patternCovers(pattern, path))
  );
}

function spellsOneOf({ blocks }: PathPattern, names: ReadonlySet<string>): boolean {
  for (const block of blocks) {
    for (const segment of block) {
      if (typeof segment === "string" && names.has(segment)) return true;
    }
  }
  return false;
}

function anywhereName({ blocks }: PathPattern): string | undefined {
  const [first, middle, last] = blocks;
  if (blocks.length !== 3 || first?.length !== 0 || last?.length !== 0) return undefined;
  const name = middle?.[0];
  return middle?.length === 1 && typeof name === "string" ? name : undefined;
}
