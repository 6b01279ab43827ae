import type { GlobNode, GlobPiece } from "./glob-syntax.ts";
import { isChoice, WIDE } from "./glob-syntax.ts";

/** How many alternatives the braces and groups of a pattern stand for; infinite when it can only be widened. */
export function countAlternatives(nodes: readonly GlobNode[]): number {
  let count = 1;
  for (const node of nodes) {
    if (node === WIDE) return Infinity;
    if (isChoice(node)) count *= node.options.reduce((sum, o) => sum + countAlternatives(o), 0);
  }
  return count;
}

/** Every alternative without braces and groups. The caller has counted them first. */
export function expandChoices(nodes: readonly GlobNode[]): GlobPiece[][] {
  let expanded: GlobPiece[][] = [[]];
  for (const node of nodes) {
    if (isChoice(node)) {
      const options = node.options.flatMap(expandChoices);
      expanded = expanded.flatMap((before) => options.map((option) => [...before, ...option]));
    } else for (const pieces of expanded) pieces.push(node);
  }
  return expanded;
}
