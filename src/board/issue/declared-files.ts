import type { Claim } from "../../domain/claim/claim.ts";
import { readPattern } from "../../domain/claim/compile-pattern.ts";
import { parseClaim } from "../../domain/claim/parse-claim.ts";
import { MAX_ALTERNATIVES_PER_TASK } from "../../domain/glob/limits.ts";
import type { Stretch } from "../../shared/markdown/lines.ts";
import { quote } from "../../shared/quote.ts";
import { isLeftEmpty } from "./declarations.ts";
import type { Declaration } from "./declarations.ts";
import { looksLikePath, placeOf } from "./markdown-lines.ts";
import type { MarkdownLine } from "./markdown-lines.ts";
import { splitPieces } from "./split-pieces.ts";

export interface DeclaredFiles {
  readonly claims: readonly Claim[];
  /** It says why the declaration cannot be used, quoting its line. */
  readonly problem: string | undefined;
}

/** The planner keeps a quarter of this apart for one task: it widens anything beyond that to folders. */
const MAX_ALTERNATIVES = 4 * MAX_ALTERNATIVES_PER_TASK;

/** This is a line of a declaration with the texts on it; they are undefined where a form's field was left empty. */
interface ReadLine {
  readonly line: MarkdownLine;
  readonly texts: readonly string[] | undefined;
}

/** This is one declared text with the line that it stands on. */
interface Declared {
  readonly text: string;
  readonly line: MarkdownLine;
}

const READ = "read:";

/** Returns the claims of every `Files` declaration, each once. */
export function declaredFiles(found: readonly Declaration[], limit: number): DeclaredFiles {
  const mine = found
    .filter(({ name }) => name === "files")
    .map(({ opening, content }) => ({ opening, lines: withoutProse(content).map(readLine) }));
  const empty = mine.find(({ lines }) => lines.every(({ texts }) => texts?.length === 0));
  const declared = distinct(mine.flatMap(({ lines }) => lines));
  const problem =
    emptyProblem(empty?.opening) ??
    limitProblem(declared.length, limit) ??
    alternativesProblem(declared);
  if (problem !== undefined) return { claims: [], problem };
  const read = declared.map((one) => ({ ...one, claim: parseClaim(one.text) }));
  return {
    claims: read.flatMap(({ claim }) => (claim.ok ? [claim.value] : [])),
    problem: firstProblem(read),
  };
}

/** Prose after the list is not of it. In the list's own column it ends the list, inside an item it only explains. */
function withoutProse(content: readonly MarkdownLine[]): readonly MarkdownLine[] {
  const kept: MarkdownLine[] = [];
  let isExplained = false;
  for (const line of content) {
    if (line.begins) isExplained = kept.length > 0 && isProse(line);
    if (isExplained && !line.nested) break;
    if (!isExplained) kept.push(line);
  }
  return kept;
}

/** A line may be meant as paths if it begins with code, or is one word between commas each. */
function isProse({ stretches, bulleted, fenced }: MarkdownLine): boolean {
  if (bulleted || fenced) return false;
  const [first, second] = stretches;
  const opening = first?.code === false ? first.text.trim() : "";
  if (first?.code === true || (second?.code === true && /^(?:read:|!)?$/i.test(opening)))
    return false;
  return splitPieces(stretches).some(({ words, quoted }) => quoted.length > 0 || hasBlank(words));
}

function hasBlank(text: string): boolean {
  return /\s/.test(text.replace(/^(?:read:|!)\s*/i, ""));
}

function readLine(line: MarkdownLine): ReadLine {
  if (line.fenced) return { line, texts: fencedTexts(line.text) };
  return { line, texts: isLeftEmpty(line.content) ? undefined : splitPatterns(line.stretches) };
}

/** In a code fence a line is a pattern as it stands; `# ` begins a remark. */
function fencedTexts(text: string): readonly string[] | undefined {
  if (text === "") return undefined;
  return text.startsWith("# ") ? [] : [text];
}

function firstProblem(
  read: readonly (Declared & { readonly claim: ReturnType<typeof parseClaim> })[],
): string | undefined {
  for (const { text, line, claim } of read) {
    const problem = proseProblem(text, line) ?? (claim.ok ? undefined : claim.error.reason);
    if (problem !== undefined) {
      return `cannot use ${quote(text)}: ${problem} ${placeOf(line)}`;
    }
  }
  return undefined;
}

function limitProblem(count: number, limit: number): string | undefined {
  if (count <= limit) return undefined;
  return `${count} paths are declared, the limit is ${limit}: use folders or patterns`;
}

/** This is checked before any pattern is expanded: two hundred patterns of five hundred alternatives would hold up a tick. */
function alternativesProblem(declared: readonly Declared[]): string | undefined {
  let total = 0;
  for (const { text, line } of declared) {
    const read = readPattern(text);
    if (read.ok && read.value.alternatives !== Infinity) total += read.value.alternatives;
    if (total > MAX_ALTERNATIVES) {
      return `the braces of the declared paths stand for more than ${MAX_ALTERNATIVES} paths: use folders or * ${placeOf(line)}`;
    }
  }
  return undefined;
}

function emptyProblem(opening: MarkdownLine | undefined): string | undefined {
  if (opening === undefined) return undefined;
  const { text, number } = opening;
  return `${quote(text)} (line ${number}) names no path: list at least one, or leave it out`;
}

function distinct(lines: readonly ReadLine[]): readonly Declared[] {
  const first = new Map<string, MarkdownLine>();
  for (const { line, texts } of lines) {
    for (const text of texts ?? []) if (!first.has(text)) first.set(text, line);
  }
  return [...first].map(([text, line]) => ({ text, line }));
}

/** Says why a declared text is not a path at all but something of the page, as the end of a sentence. */
function proseProblem(text: string, line: MarkdownLine): string | undefined {
  if (text.includes("://")) return "a link is not a path; write the path";
  if (line.fenced) return undefined;
  if (text.startsWith("<")) return "HTML is not a path";
  if (text.includes("`")) return "a backtick without its partner";
  return hasBlank(text) && !line.stretches.some(({ code }) => code)
    ? "one path a line, in backticks if it has blanks"
    : undefined;
}

/**
 * Splits one line outside a code fence into its declarations, each as it would stand alone. Commas part them, backticks keep
 * blanks and commas, and words beside a pattern in backticks explain it. `read:` holds for the rest of its line.
 */
function splitPatterns(line: readonly Stretch[]): readonly string[] {
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
