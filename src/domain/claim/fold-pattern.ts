import { pointsOf } from "./code-points.ts";
import { expandedFold, foldPoint, foldText, isAscii } from "./fold-case.ts";
import { foldSet } from "./fold-set.ts";
import type { PathPattern, Segment, Token } from "./path-pattern.ts";
import { ANY_NAME, magicSegment } from "./path-pattern.ts";

/** The same pattern for comparing without letter case, character by character. */
export function foldPattern(pattern: PathPattern): PathPattern {
  const blocks = pattern.blocks.map(foldBlock);
  const isFolded = blocks.every((block, i) => block === pattern.blocks[i]);
  return isFolded ? pattern : { blocks, written: pattern };
}

function foldBlock(block: readonly Segment[]): readonly Segment[] {
  const folded = block.map(foldSegment);
  return folded.every((segment, i) => segment === block[i]) ? block : folded;
}

function foldSegment(segment: Segment): Segment {
  if (typeof segment === "string") return foldText(segment);
  return segment === ANY_NAME ? segment : magicSegment(segment.blocks.map((b) => b.map(foldToken)));
}

function foldToken(token: Token): Token {
  return typeof token === "number" ? foldPoint(token) : foldSet(token);
}

/** Every folded form: a second one if some character, like `ß`, folds to several. */
export function foldedForms(pattern: PathPattern): PathPattern[] {
  const folded = foldPattern(pattern);
  if (!pattern.blocks.some((block) => block.some(mayExpand))) return [folded];
  const expanded = { blocks: pattern.blocks.map((b) => b.map(expandSegment)), written: pattern };
  return [folded, foldPattern(expanded)];
}

function mayExpand(segment: Segment): boolean {
  if (typeof segment === "string") return !isAscii(segment) && pointsOf(segment).some(expands);
  return segment.blocks.some((block) => block.some(expands));
}

function expands(token: Token): boolean {
  return typeof token === "number" && expandedFold(token) !== undefined;
}

function expandSegment(segment: Segment): Segment {
  if (typeof segment === "string") {
    return String.fromCodePoint(...(pointsOf(segment).flatMap(expandToken) as number[]));
  }
  return magicSegment(segment.blocks.map((block): Token[] => block.flatMap(expandToken)));
}

function expandToken(token: Token): Token[] {
  const expanded = typeof token === "number" ? expandedFold(token) : undefined;
  return expanded === undefined ? [token] : pointsOf(expanded);
}
