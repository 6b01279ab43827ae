import type { GlobNode } from "./glob-syntax.ts";
import { WIDE } from "./glob-syntax.ts";
import { MAX_ALTERNATIVES } from "./limits.ts";

const NUMBERS = /^\{(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.-?(\d{1,9}))?\}/;
const LETTERS = /^\{([A-Za-z])\.\.([A-Za-z])(?:\.\.-?(\d{1,9}))?\}/;

/** `{1..3}`, `{01..10}`, `{a..e}` or `{0..20..5}` at the start of the text. */
export function expandRange(text: string): { node: GlobNode; length: number } | undefined {
  const numbers = NUMBERS.exec(text);
  if (numbers) return { node: numberChoice(numbers), length: numbers[0].length };
  const letters = LETTERS.exec(text);
  if (letters) return { node: letterChoice(letters), length: letters[0].length };
  return undefined;
}

function numberChoice([, first = "", last = "", step]: RegExpExecArray): GlobNode {
  const padded = /^-?0\d/.test(first) || /^-?0\d/.test(last);
  const width = padded ? Math.max(first.length, last.length) : 0;
  const write = (value: number): string => {
    const digits = String(Math.abs(value));
    return value < 0 ? `-${digits.padStart(width - 1, "0")}` : digits.padStart(width, "0");
  };
  return choiceBetween([Number(first), Number(last)], step, write);
}

function letterChoice([, first = "", last = "", step]: RegExpExecArray): GlobNode {
  const ends: [number, number] = [first.charCodeAt(0), last.charCodeAt(0)];
  return choiceBetween(ends, step, (value) => String.fromCharCode(value));
}

function choiceBetween(
  [first, last]: readonly [number, number],
  step: string | undefined,
  write: (value: number) => string,
): GlobNode {
  const stride = Math.max(1, Number(step ?? 1)) * (first <= last ? 1 : -1);
  const count = Math.floor((last - first) / stride) + 1;
  if (count > MAX_ALTERNATIVES) return WIDE;
  const options = Array.from({ length: count }, (_, i) => [write(first + i * stride)]);
  return { options };
}
