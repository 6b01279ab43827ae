import type { CodePointSet } from "./code-points.ts";
import { pointsOf, rangesOf, setFromRanges } from "./code-points.ts";

const DOTLESS_I = 0x131;
/** The last block with letter case (Adlam) ends here. */
const LAST_CASED = 0x1e943;

/**
 * One code point in, one out, so that `?` and `[…]` keep matching what they matched before.
 * File systems that ignore case do the same.
 */
export function foldPoint(point: number): number {
  if (point < 0x80) return point >= 0x41 && point <= 0x5a ? point + 0x20 : point;
  if (point === DOTLESS_I) return point;
  const upper = single(String.fromCodePoint(point).toUpperCase()) ?? point;
  return single(String.fromCodePoint(upper).toLowerCase()) ?? point;
}

export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return String.fromCodePoint(...pointsOf(text).map(foldPoint));
}

/**
 * The characters that one character becomes where case folding changes the length (`ß` is `ss`), as on macOS;
 * nothing for all others.
 */
export function expandedFold(point: number): string | undefined {
  if (point < 0x80 || point === DOTLESS_I) return undefined;
  const folded = String.fromCodePoint(point).toUpperCase().toLowerCase();
  return single(folded) === undefined ? folded : undefined;
}

/** Every character that some member folds to, and the members themselves. */
export function foldSet(set: CodePointSet): CodePointSet {
  const ranges = rangesOf(set);
  const folded = [...ranges];
  for (const [low, high] of ranges) addFolded([low, high], folded);
  return setFromRanges(folded);
}

function addFolded([low, high]: readonly [number, number], into: [number, number][]): void {
  const cased = high < 0x80 ? asciiCased() : allCased();
  for (const [from, to] of cased) {
    if (from >= low && from <= high) into.push([to, to]);
  }
}

type CasePair = readonly [from: number, to: number];
let ascii: readonly CasePair[] | undefined;
let all: readonly CasePair[] | undefined;

function asciiCased(): readonly CasePair[] {
  return (ascii ??= casePairs(0x7f));
}

function allCased(): readonly CasePair[] {
  return (all ??= casePairs(LAST_CASED));
}

function casePairs(last: number): readonly CasePair[] {
  const pairs: CasePair[] = [];
  for (let point = 0x41; point <= last; point += 1) {
    const folded = point >= 0xd800 && point <= 0xdfff ? point : foldPoint(point);
    if (folded !== point) pairs.push([point, folded]);
  }
  return pairs;
}

function single(text: string): number | undefined {
  const point = text.codePointAt(0) ?? 0;
  return text.length === (point > 0xffff ? 2 : 1) ? point : undefined;
}

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
