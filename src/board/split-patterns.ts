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

interface Segment {
  readonly code: boolean;
  readonly text: string;
}

/**
 * The declarations on one line outside a code fence, each as it would stand alone. Commas part them, backticks keep
 * blanks and commas, and words beside a pattern in backticks explain it. `read:` holds for the rest of its line.
 */
export function splitPatterns(line: string): readonly string[] {
  const pieces = splitPieces(line);
  const explained = pieces.some((piece) => piece.quoted.length > 0);
  let reading = false;
  return pieces.flatMap((piece) => {
    const startsReading = isReading(piece.words);
    reading ||= startsReading;
    const words = startsReading ? piece.words.slice(READ.length).trim() : piece.words;
    if (piece.quoted.length > 0) return piece.quoted.map((text) => asRead(text, reading));
    if (words === "" && !startsReading) return [];
    return explained && !looksLikePath(words) ? [] : [asRead(unescaped(words), reading)];
  });
}

function isReading(text: string): boolean {
  return text.slice(0, READ.length).toLowerCase() === READ;
}

function asRead(text: string, reading: boolean): string {
  return reading && !isReading(text) ? `${READ} ${text}` : text;
}

function splitPieces(line: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let words = "";
  let quoted: string[] = [];
  let before = "";
  for (const segment of segmentsOf(line)) {
    if (segment.code) {
      quoted.push(before.endsWith("!") ? `!${segment.text}` : segment.text);
      continue;
    }
    const [first = "", ...more] = splitAtCommas(segment.text);
    words += first;
    for (const next of more) {
      pieces.push({ words: words.trim(), quoted });
      [words, quoted] = [next, []];
    }
    before = segment.text;
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

/** Code spans and what is between them. A run of backticks without its partner ends the search: each character is read once. */
function segmentsOf(line: string): readonly Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (let open = line.indexOf("`"); open >= 0; open = line.indexOf("`", from)) {
    const length = runLength(line, open);
    const close = closingRun(line, open + length, length);
    if (close < 0) break;
    segments.push({ code: false, text: line.slice(from, open) });
    segments.push({ code: true, text: line.slice(open + length, close) });
    from = close + length;
  }
  return [...segments, { code: false, text: line.slice(from) }];
}

function closingRun(line: string, start: number, length: number): number {
  let at = line.indexOf("`", start);
  while (at >= 0) {
    const run = runLength(line, at);
    if (run === length) return at;
    at = line.indexOf("`", at + run);
  }
  return -1;
}

function runLength(line: string, start: number): number {
  let length = 1;
  while (line[start + length] === "`") length += 1;
  return length;
}

/** Written for the eye, `\*` outside backticks is a star. */
function unescaped(words: string): string {
  return !words.includes("\\") ? words : words.replace(/\\([*_[\]{}!?#])/g, "$1");
}
