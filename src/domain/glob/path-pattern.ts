import type { CodePointSet } from "./code-points.ts";
import type { Starred } from "./starred-sequence.ts";

export type Token = number | CodePointSet;

/** This is a name with `*`, `?` or `[…]` in it. */
export interface MagicSegment {
  readonly blocks: Starred<Token>;
  /** Every such name starts and ends with this plain text: most comparisons end here. */
  readonly start: string;
  readonly end: string;
}

/** A plain name is a string. */
export type Segment = string | MagicSegment;

/** This is one alternative of a claim: names with `**` between the blocks. */
export interface PathPattern {
  readonly blocks: Starred<Segment>;
  /** A folded pattern keeps the written one here: examples are spelled like it. */
  readonly written?: PathPattern;
}

export const ANY_NAME: MagicSegment = { blocks: [[], []], start: "", end: "" };

export function isAnyName(segment: Segment | undefined): boolean {
  return typeof segment === "object" && segment.blocks.length === 2 && isEmpty(segment.blocks);
}

function isEmpty(blocks: Starred<unknown>): boolean {
  return blocks.every((block) => block.length === 0);
}

export function magicSegment(blocks: Starred<Token>): MagicSegment {
  const first = blocks[0] ?? [];
  const last = blocks[blocks.length - 1] ?? [];
  const plainEnd = first.findIndex((token) => typeof token !== "number");
  const plainStart = last.findLastIndex((token) => typeof token !== "number");
  const start = (plainEnd === -1 ? first : first.slice(0, plainEnd)) as readonly number[];
  const end = last.slice(plainStart + 1) as readonly number[];
  return { blocks, start: String.fromCodePoint(...start), end: String.fromCodePoint(...end) };
}

/** Returns the names before the first `*`, `?`, `[…]` or `**`. */
export function literalPrefix({ blocks }: PathPattern): readonly string[] {
  const first = blocks[0] ?? [];
  const end = first.findIndex((segment) => typeof segment !== "string");
  return (end === -1 ? first : first.slice(0, end)) as readonly string[];
}

/** Returns the last name if the pattern ends with one: such a pattern is read as a file. */
export function fileNameOf({ blocks }: PathPattern): string | undefined {
  const last = blocks[blocks.length - 1]?.at(-1);
  return typeof last === "string" ? last : undefined;
}

/** The key is equal for patterns that are written the same after folding. Control characters cannot occur in a pattern. */
export function patternKey({ blocks }: PathPattern): string {
  return blocks.map((block) => block.map(segmentKey).join("/")).join("/\u0001\u0001/");
}

function segmentKey(segment: Segment): string {
  if (typeof segment === "string") return segment;
  return `\u0002${segment.blocks.map((block) => block.map(tokenKey).join("")).join("\u0001")}`;
}

function tokenKey(token: Token): string {
  return typeof token === "number" ? String.fromCodePoint(token) : `\u0003${token.join()}\u0003`;
}
