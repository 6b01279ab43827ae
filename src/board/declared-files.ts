import type { Claim } from "../domain/claim.ts";
import { quote } from "../shared/quote.ts";
import type { Declaration } from "./declarations.ts";
import { isLeftEmpty } from "./is-left-empty.ts";
import type { MarkdownLine } from "./markdown-lines.ts";
import { patternProblem } from "./pattern-problem.ts";
import { claimFrom, splitPatterns } from "./split-patterns.ts";

export interface DeclaredFiles {
  readonly claims: readonly Claim[];
  /** Why the declaration cannot be used, quoting its line. */
  readonly problem: string | undefined;
}

/** A line of a declaration and what it declares; undefined where a form's field was left empty. */
interface ReadLine {
  readonly line: MarkdownLine;
  readonly claims: readonly Claim[] | undefined;
}

/** The patterns of every `Files` declaration, each once. */
export function declaredFiles(found: readonly Declaration[], limit: number): DeclaredFiles {
  const mine = found
    .filter(({ name }) => name === "files")
    .map(({ opening, content }) => ({ opening, lines: content.map(readLine) }));
  const empty = mine.find(({ lines }) => lines.every(({ claims }) => claims?.length === 0));
  const lines = mine.flatMap((declaration) => declaration.lines);
  const claims = distinct(lines.flatMap((line) => line.claims ?? []));
  const problem = empty === undefined ? undefined : emptyProblem(empty.opening);
  return { claims, problem: problem ?? limitProblem(claims, limit) ?? firstProblem(lines) };
}

function readLine(line: MarkdownLine): ReadLine {
  if (line.fenced) return { line, claims: isRemark(line.text) ? [] : [claimFrom(line.text)] };
  return { line, claims: isLeftEmpty(line.content) ? undefined : splitPatterns(line.content) };
}

/** In a code fence a line is a pattern as it stands; `# ` begins a remark. */
function isRemark(text: string): boolean {
  return text.trim().startsWith("# ");
}

function firstProblem(lines: readonly ReadLine[]): string | undefined {
  for (const { line, claims } of lines) {
    for (const { pattern } of claims ?? []) {
      const problem = patternProblem(pattern) ?? proseProblem(pattern, line);
      if (problem !== undefined) {
        return `cannot use ${quote(pattern)}: ${problem} (line ${line.number}: ${quote(line.text.trim())})`;
      }
    }
  }
  return undefined;
}

function proseProblem(pattern: string, line: MarkdownLine): string | undefined {
  if (line.fenced || line.text.includes("`") || !/\s/.test(pattern)) return undefined;
  return "one path a line, in backticks if it has blanks";
}

function limitProblem(claims: readonly Claim[], limit: number): string | undefined {
  if (claims.length <= limit) return undefined;
  return `${claims.length} paths are declared, the limit is ${limit}: use folders or patterns`;
}

function emptyProblem(line: MarkdownLine): string {
  return `${quote(line.text.trim())} (line ${line.number}) names no path: list at least one, or leave it out`;
}

function distinct(claims: readonly Claim[]): readonly Claim[] {
  return [...new Map(claims.map((claim) => [`${claim.mode} ${claim.pattern}`, claim])).values()];
}
