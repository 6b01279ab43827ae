import type { Stretch } from "../shared/markdown/lines.ts";
import { looksLikePath } from "./looks-like-path.ts";

const DEPTH: Readonly<Record<string, number>> = {
  "{": 1,
  "[": 1,
  "(": 1,
  "}": -1,
  "]": -1,
  ")": -1,
};
const READ = "read:";

/** A stretch between commas: its own words, and the texts that stand in backticks. */
interface Piece {
  readonly words: string;
  readonly quoted: readonly string[];
}

/**
 * The declarations on one line outside a code fence, each as it would stand alone. Commas part them, backticks keep
 * blanks and commas, and words beside a pattern in backticks explain it. `read:` holds for the rest of its line.
 */
export function splitPatterns(line: readonly Stretch[]): readonly string[] {
  const pieces = splitPieces(line);
  const explained = pieces.some((piece) => piece.quoted.length > 0);
  let reading = false;
  return pieces.flatMap((piece) => {
    const startsReading = isReading(piece.words);
    reading ||= startsReading;
    const words = startsReading ? piece.words.slice(READ.length).trim() : piece.words;
    if (piece.quoted.length > 0) return piece.quoted.map((text) => asRead(text, reading));
    if (words === "" && !startsReading) return [];
    return explained && !looksLikePath(words) ? [] : [asRead(words, reading)];
  });
}

function isReading(text: string): boolean {
  return text.slice(0, READ.length).toLowerCase() === READ;
}

function asRead(text: string, reading: boolean): string {
  return reading && !isReading(text) ? `${READ} ${text}` : text;
}

function splitPieces(line: readonly Stretch[]): readonly Piece[] {
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
