import type { Stretch } from "../../shared/markdown/lines.ts";

/** A piece stands between commas: it has its own words, and the texts that stand in backticks. */
export interface Piece {
  readonly words: string;
  readonly quoted: readonly string[];
}

const DEPTH: Readonly<Record<string, number>> = {
  "{": 1,
  "[": 1,
  "(": 1,
  "}": -1,
  "]": -1,
  ")": -1,
};

/** Splits one line outside a code fence at its commas; backticks keep them. */
export function splitPieces(line: readonly Stretch[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let words = "";
  let quoted: string[] = [];
  let before = "";
  for (const stretch of line) {
    if (stretch.code) {
      quoted.push(before.endsWith("!") ? `!${stretch.text}` : stretch.text);
      continue;
    }
    const [first = "", ...more] = splitAtCommas(stretch.text);
    words += first;
    for (const next of more) {
      pieces.push({ words: words.trim(), quoted });
      [words, quoted] = [next, []];
    }
    before = stretch.text;
  }
  return [...pieces, { words: words.trim(), quoted }];
}

/** Commas inside braces, brackets and parentheses belong to what they are in. */
function splitAtCommas(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { index, 0: mark } of text.matchAll(/[,{}[\]()]/g)) {
    depth = Math.max(0, depth + (DEPTH[mark] ?? 0));
    if (mark !== "," || depth > 0) continue;
    parts.push(text.slice(from, index));
    from = index + 1;
  }
  return [...parts, text.slice(from)];
}
