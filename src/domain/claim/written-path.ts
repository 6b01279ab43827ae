import type { Result } from "../../shared/result.ts";
import { fail, ok } from "../../shared/result.ts";
import type { GlobPiece } from "./glob-syntax.ts";
import { DOT, SLASH } from "./glob-syntax.ts";
import type { Segment, Token } from "./path-pattern.ts";

/** One alternative as it was written: names, with `**` between the blocks. */
export interface WrittenPath {
  readonly blocks: Segment[][];
  /** It ends with a slash, or is `.`: what lies below is meant. */
  readonly below: boolean;
}

/** Splits an alternative into names. Nothing is left of an empty one. */
export function writtenPath(pieces: readonly GlobPiece[]): Result<WrittenPath | undefined, string> {
  const written = splitAt(pieces, SLASH);
  const names = written.filter((name) => name.length > 0 && !isDot(name));
  const blocks: Segment[][] = [[]];
  for (const name of names) {
    if (name.length === 1 && name[0] === "deep") startBlock(blocks);
    else blocks.at(-1)?.push(segmentFrom(name));
  }
  const problem = blocks
    .flat()
    .map(forbiddenName)
    .find((found) => found !== undefined);
  if (problem !== undefined) return fail(problem);
  if (names.length === 0 && !written.some(isDot)) return ok(undefined);
  const last = written.at(-1) ?? [];
  return ok({ blocks, below: last.length === 0 || isDot(last) });
}
export function forbiddenName(segment: Segment): string | undefined {
  if (typeof segment !== "string") return undefined;
  if (segment === "..") return "it leaves the repository with ..";
  return segment.toLowerCase() === ".git"
    ? ".git is not part of the repository's files"
    : undefined;
}

function segmentFrom(pieces: readonly GlobPiece[]): Segment {
  if (pieces.every((piece) => typeof piece === "number")) return String.fromCodePoint(...pieces);
  const blocks: Token[][] = [[]];
  for (const piece of pieces) {
    if (typeof piece !== "string") blocks.at(-1)?.push(piece);
    else startBlock(blocks);
  }
  return { blocks };
}

/** Two stars in a row are one. */
function startBlock(blocks: unknown[][]): void {
  if (blocks.length === 1 || blocks.at(-1)?.length !== 0) blocks.push([]);
}

function isDot(pieces: readonly GlobPiece[]): boolean {
  return pieces.length === 1 && pieces[0] === DOT;
}

function splitAt(pieces: readonly GlobPiece[], separator: number): GlobPiece[][] {
  const parts: GlobPiece[][] = [];
  let start = 0;
  for (let end = 0; end <= pieces.length; end += 1) {
    if (end < pieces.length && pieces[end] !== separator) continue;
    parts.push(pieces.slice(start, end));
    start = end + 1;
  }
  return parts;
}
