import type { CodePointSet } from "./code-points.ts";

/** A piece is plain text, a set of characters, or something special. */
export type GlobPiece = string | CodePointSet | Special;

/** Braces and groups stand for one of several readings. */
export interface Choice {
  readonly options: readonly (readonly GlobNode[])[];
}

export type GlobNode = GlobPiece | Choice;

export const SLASH = 0;
/** This stands for `*`. */
export const STAR = 1;
/** This stands for `**`. */
export const DEEP = 2;
/** This stands for too much to be kept exactly. */
export const WIDE = 3;

type Special = typeof SLASH | typeof STAR | typeof DEEP | typeof WIDE;

export function isChoice(node: GlobNode): node is Choice {
  return typeof node === "object" && "options" in node;
}

/** Counts the alternatives that the braces and groups of a pattern stand for; the count is infinite when the pattern can only be widened. */
export function countAlternatives(nodes: readonly GlobNode[]): number {
  let count = 1;
  for (const node of nodes) {
    if (node === WIDE) return Infinity;
    if (isChoice(node)) count *= node.options.reduce((sum, o) => sum + countAlternatives(o), 0);
  }
  return count;
}

/** Lists every alternative without braces and groups. The caller has counted them first. */
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
