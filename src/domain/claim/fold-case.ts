import { pointsOf } from "./code-points.ts";

const DOTLESS_I = 0x131;

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

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

function single(text: string): number | undefined {
  const point = text.codePointAt(0) ?? 0;
  return text.length === (point > 0xffff ? 2 : 1) ? point : undefined;
}
