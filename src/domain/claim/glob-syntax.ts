import type { CodePointSet } from "./code-points.ts";

/**
 * A character, a set of characters, `*`, `**`, or `wide`: something that stands for too much to be kept exactly.
 * `/` is the character 0x2f.
 */
export type GlobPiece = number | CodePointSet | "star" | "deep" | "wide";

/** Braces and groups: one of several readings. */
export interface Choice {
  readonly options: readonly (readonly GlobNode[])[];
}

export type GlobNode = GlobPiece | Choice;

export const SLASH = 0x2f;
export const DOT = 0x2e;

export function isChoice(node: GlobNode): node is Choice {
  return typeof node === "object" && "options" in node;
}

export function pointsOf(text: string): number[] {
  return Array.from(text, (char) => char.codePointAt(0) ?? 0);
}
