import type { CodePointSet } from "./code-points.ts";

export const SLASH = 0;
/** `*`. */
export const STAR = 1;
/** `**`. */
export const DEEP = 2;
/** Something that stands for too much to be kept exactly. */
export const WIDE = 3;

type Special = typeof SLASH | typeof STAR | typeof DEEP | typeof WIDE;

/** Plain text, a set of characters, or something special. */
export type GlobPiece = string | CodePointSet | Special;

/** Braces and groups: one of several readings. */
export interface Choice {
  readonly options: readonly (readonly GlobNode[])[];
}

export type GlobNode = GlobPiece | Choice;

export function isChoice(node: GlobNode): node is Choice {
  return typeof node === "object" && "options" in node;
}
