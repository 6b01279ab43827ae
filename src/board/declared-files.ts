import type { Claim } from "../domain/claim.ts";
import { readPattern } from "../domain/claim/compile-pattern.ts";
import { MAX_ALTERNATIVES_PER_TASK } from "../domain/claim/limits.ts";
import { parseClaim } from "../domain/claim/parse-claim.ts";
import { quote } from "../shared/quote.ts";
import type { Declaration } from "./declarations.ts";
import { isLeftEmpty } from "./is-left-empty.ts";
import type { MarkdownLine } from "./markdown-lines.ts";
import { proseProblem } from "./prose-problem.ts";
import { splitPatterns } from "./split-patterns.ts";

/** Four times what the planner keeps apart for one task: anything beyond is widened to folders there. */
const MAX_ALTERNATIVES = 4 * MAX_ALTERNATIVES_PER_TASK;

export interface DeclaredFiles {
  readonly claims: readonly Claim[];
  /** Why the declaration cannot be used, quoting its line. */
  readonly problem: string | undefined;
}

/** A line of a declaration and the texts on it; undefined where a form's field was left empty. */
interface ReadLine {
  readonly line: MarkdownLine;
  readonly texts: readonly string[] | undefined;
}

/** One declared text and the line that it stands on. */
interface Declared {
  readonly text: string;
  readonly line: MarkdownLine;
}

/** The claims of every `Files` declaration, each once. */
export function declaredFiles(found: readonly Declaration[], limit: number): DeclaredFiles {
  const mine = found
    .filter(({ name }) => name === "files")
    .map(({ opening, content }) => ({ opening, lines: content.map(readLine) }));
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
      return `cannot use ${quote(text)}: ${problem} (line ${line.number}: ${quote(line.text)})`;
    }
  }
  return undefined;
}

function limitProblem(count: number, limit: number): string | undefined {
  if (count <= limit) return undefined;
  return `${count} paths are declared, the limit is ${limit}: use folders or patterns`;
}

/** Before any is expanded: two hundred patterns of five hundred alternatives would hold up a tick. */
function alternativesProblem(declared: readonly Declared[]): string | undefined {
  let total = 0;
  for (const { text, line } of declared) {
    const read = readPattern(text);
    if (read.ok && read.value.alternatives !== Infinity) total += read.value.alternatives;
    if (total > MAX_ALTERNATIVES) {
      return `the braces of the declared paths stand for more than ${MAX_ALTERNATIVES} paths: use folders or * (line ${line.number}: ${quote(line.text)})`;
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
