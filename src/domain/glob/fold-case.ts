import {
  pointsOf,
  complementOf,
  countPoints,
  rangesOf,
  setFromRanges,
  setHas,
} from "./code-points.ts";
import type { CodePointSet } from "./code-points.ts";
import { ANY_NAME, magicSegment } from "./path-pattern.ts";
import type { PathPattern, Segment, Token } from "./path-pattern.ts";

/** The last script with letter case, Adlam, ends here. */
const LAST_CASED = 0x1e943;

const DOTLESS_I = 0x131;

/** Returns the same pattern for comparing without letter case, character by character. */
export function foldPattern(pattern: PathPattern): PathPattern {
  const blocks = pattern.blocks.map(foldBlock);
  const isFolded = blocks.every((block, i) => block === pattern.blocks[i]);
  return isFolded ? pattern : { blocks, written: pattern };
}

/** Returns every folded form: there is a second one if some character, like `ß`, folds to several. */
export function foldedForms(pattern: PathPattern): PathPattern[] {
  const folded = foldPattern(pattern);
  if (!pattern.blocks.some((block) => block.some(mayExpand))) return [folded];
  const expanded = { blocks: pattern.blocks.map((b) => b.map(expandSegment)), written: pattern };
  return [folded, foldPattern(expanded)];
}

/** Returns the set with both cases of every member. */
export function bothCases(set: CodePointSet): CodePointSet {
  const folded = casedPoints(set).map(foldPoint);
  return withPoints(set, [...folded, ...folded.flatMap(unfold)]);
}

export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return String.fromCodePoint(...pointsOf(text).map(foldPoint));
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

/** Returns every character that some member folds to, and the members themselves. */
function foldSet(set: CodePointSet): CodePointSet {
  // A negated class holds nearly everything: it is quicker to go through the characters that it lacks.
  const lacking = complementOf(set);
  const folded =
    countPoints(lacking) < countPoints(set)
      ? casedPoints(lacking).filter((point) => unfold(point).some((from) => setHas(set, from)))
      : casedPoints(set).map(foldPoint);
  return withPoints(set, folded);
}

let unfolded: ReadonlyMap<number, readonly number[]> | undefined;

/** Returns the characters that fold to a character, except itself. */
function unfold(point: number): readonly number[] {
  unfolded ??= unfoldAll();
  return unfolded.get(point) ?? [];
}

function unfoldAll(): ReadonlyMap<number, readonly number[]> {
  const all = new Map<number, number[]>();
  for (let point = 0x41; point <= LAST_CASED; point += 1) {
    const folded = point >= 0xd800 && point <= 0xdfff ? point : foldPoint(point);
    if (folded !== point) all.set(folded, [...(all.get(folded) ?? []), point]);
  }
  return all;
}

function casedPoints(set: CodePointSet): number[] {
  const points: number[] = [];
  for (const [low, high] of rangesOf(set)) {
    for (let point = low; point <= Math.min(high, LAST_CASED); point += 1) points.push(point);
  }
  return points;
}

function withPoints(set: CodePointSet, points: readonly number[]): CodePointSet {
  const added = points.filter((point) => !setHas(set, point));
  if (added.length === 0) return set;
  return setFromRanges([...rangesOf(set), ...added.map((point) => [point, point] as const)]);
}

/**
 * One code point becomes one code point, so that `?` and `[…]` keep matching what they matched before.
 * File systems that ignore case do the same.
 */
function foldPoint(point: number): number {
  if (point < 0x80) return point >= 0x41 && point <= 0x5a ? point + 0x20 : point;
  if (point === DOTLESS_I) return point;
  const upper = single(String.fromCodePoint(point).toUpperCase()) ?? point;
  return single(String.fromCodePoint(upper).toLowerCase()) ?? point;
}

/**
 * Returns the characters that one character becomes where case folding changes the length (`ß` is `ss`), as on macOS;
 * it returns nothing for all others.
 */
function expandedFold(point: number): string | undefined {
  if (point < 0x80 || point === DOTLESS_I) return undefined;
  const folded = String.fromCodePoint(point).toUpperCase().toLowerCase();
  return single(folded) === undefined ? folded : undefined;
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

function single(text: string): number | undefined {
  const point = text.codePointAt(0) ?? 0;
  return text.length === (point > 0xffff ? 2 : 1) ? point : undefined;
}
