import type { PathPattern } from "./path-pattern.ts";
import { literalPrefix } from "./path-pattern.ts";
import { patternCovers } from "./patterns-meet.ts";

/**
 * Whether every path of the pattern is in an area, an area being a pattern that ends with `**`.
 * Sound, not complete: it looks at the names that the pattern spells out.
 */
export function isWithin(pattern: PathPattern, area: PathPattern): boolean {
  const prefix = literalPrefix(pattern);
  if (prefix.length > 0 && patternCovers(area, prefix)) return true;
  const name = anywhereName(area);
  return name !== undefined && pattern.blocks.some((block) => block.includes(name));
}

function anywhereName({ blocks }: PathPattern): string | undefined {
  const [first, middle, last] = blocks;
  if (blocks.length !== 3 || first?.length !== 0 || last?.length !== 0) return undefined;
  const name = middle?.[0];
  return middle?.length === 1 && typeof name === "string" ? name : undefined;
}
