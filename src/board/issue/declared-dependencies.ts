import type { RepoName, TaskId } from "../../domain/ids.ts";
import { quote } from "../../shared/quote.ts";
import { isLeftEmpty } from "./declarations.ts";
import type { Declaration } from "./declarations.ts";
import type { MarkdownLine } from "./markdown-lines.ts";
import { isBrokenReference, taskIdFrom, wordsOf } from "./reference.ts";

export interface DeclaredDependencies {
  readonly dependsOn: readonly TaskId[];
  /** It says why the declaration cannot be used, quoting its line. */
  readonly problem: string | undefined;
}

interface ReadLine {
  readonly line: MarkdownLine;
  readonly words: readonly string[];
  readonly ids: readonly TaskId[];
}

/** Returns every issue that a `Depends on` line, or the text below such a heading, names. */
export function declaredDependencies(
  found: readonly Declaration[],
  home: RepoName,
): DeclaredDependencies {
  const mine = found
    .filter(({ name }) => name === "depends on")
    .map(({ opening, content }) => ({
      opening,
      lines: content.map((line) => readLine(line, home)),
    }));
  const lines = mine.flatMap((declaration) => declaration.lines);
  const empty = mine.find((declaration) => !declaration.lines.some(saysSomething));
  return {
    dependsOn: [...new Set(lines.flatMap(({ ids }) => ids))],
    problem: brokenProblem(lines) ?? (empty && emptyProblem(empty.opening)),
  };
}

function readLine(line: MarkdownLine, home: RepoName): ReadLine {
  const words = wordsOf(line.content);
  return { line, words, ids: words.flatMap((word) => taskIdFrom(word, home) ?? []) };
}

function saysSomething({ line, ids }: ReadLine): boolean {
  return ids.length > 0 || isLeftEmpty(line.content);
}

function brokenProblem(lines: readonly ReadLine[]): string | undefined {
  for (const { line, words } of lines) {
    const broken = words.find(isBrokenReference);
    if (broken !== undefined) {
      return `${quote(broken)} is not an issue's number (line ${line.number}: ${quote(line.text.trim())})`;
    }
  }
  return undefined;
}

function emptyProblem(opening: MarkdownLine): string {
  return `${quote(opening.text.trim())} (line ${opening.number}) names no issue: write "#12" or "owner/name#12", or leave it out`;
}
