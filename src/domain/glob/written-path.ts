import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { pointsOf } from "./code-points.ts";
import { DEEP, SLASH } from "./glob-syntax.ts";
import type { GlobPiece } from "./glob-syntax.ts";
import { magicSegment } from "./path-pattern.ts";
import type { Segment, Token } from "./path-pattern.ts";

/** This is one alternative as it was written: names, with `**` between the blocks. */
export interface WrittenPath {
  readonly blocks: Segment[][];
  /** It ends with a slash, or is `.`: everything below is meant. */
  readonly below: boolean;
}

/** Splits an alternative into names. Nothing is left of an empty one. */
export function writtenPath(pieces: readonly GlobPiece[]): Result<WrittenPath | undefined, string> {
  const blocks: Segment[][] = [[]];
  let last: Segment | typeof DEEP = "";
  let isEmpty = true;
  for (let start = 0; start <= pieces.length;) {
    const slash = pieces.indexOf(SLASH, start);
    const end = slash === -1 ? pieces.length : slash;
    last = segmentFrom(pieces, start, end);
    start = end + 1;
    isEmpty &&= last === "";
    const problem = addName(blocks, last);
    if (problem !== undefined) return fail(problem);
  }
  return ok(isEmpty ? undefined : { blocks, below: last === "" || last === "." });
}

function addName(blocks: Segment[][], name: Segment | typeof DEEP): string | undefined {
  if (name === DEEP) startBlock(blocks);
  else if (name !== "" && name !== ".") blocks.at(-1)?.push(name);
  return name === DEEP ? undefined : forbiddenName(name);
}

export function forbiddenName(segment: Segment): string | undefined {
  if (typeof segment !== "string") return undefined;
  if (segment === "..") return "it leaves the repository with ..";
  return segment.toLowerCase() === ".git"
    ? ".git is not part of the repository's files"
    : undefined;
}

function segmentFrom(
  pieces: readonly GlobPiece[],
  start: number,
  end: number,
): Segment | typeof DEEP {
  const first = pieces[start];
  if (end - start === 1 && (typeof first === "string" || first === DEEP)) return first;
  const own = pieces.slice(start, end);
  if (own.every((piece) => typeof piece === "string")) return own.join("");
  const blocks: Token[][] = [[]];
  for (const piece of own) {
    if (typeof piece === "number") startBlock(blocks);
    else if (typeof piece === "string") blocks.at(-1)?.push(...pointsOf(piece));
    else blocks.at(-1)?.push(piece);
  }
  return magicSegment(blocks);
}

/** Two stars in a row are one. */
function startBlock(blocks: unknown[][]): void {
  if (blocks.length === 1 || blocks.at(-1)?.length !== 0) blocks.push([]);
}
