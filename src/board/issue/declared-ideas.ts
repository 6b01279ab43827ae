import { readPattern } from "../../domain/claim/compile-pattern.ts";
import { parseClaim } from "../../domain/claim/parse-claim.ts";
import { MAX_IDEAS } from "../../domain/exploration.ts";
import type { Idea, IdeaSource } from "../../domain/exploration.ts";
import { MAX_ALTERNATIVES_PER_TASK } from "../../domain/glob/limits.ts";
import type { Stretch } from "../../shared/markdown/lines.ts";
import { textOf } from "../../shared/markdown/lines.ts";
import { quote } from "../../shared/quote.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import type { ExploreEntry } from "./explore-outline.ts";
import { ideaOfItem } from "./idea-of-item.ts";
import { looksLikePath, placeOf } from "./markdown-lines.ts";
import type { MarkdownLine } from "./markdown-lines.ts";
import { splitPieces } from "./split-pieces.ts";

type Ideas = Result<{ readonly ideas: IdeaSource }, string>;

/** Reads the list below `ideas:`, or the patterns of files after it. */
export function declaredIdeas({ line, value, items }: ExploreEntry): Ideas {
  const isInline = textOf({ stretches: value }).trim() !== "";
  if (isInline && items.length > 0) {
    return fail(`ideas are files or a list, not both: keep one ${placeOf(line)}`);
  }
  if (isInline) return filesNamed(value, line);
  if (items.length > 0) return ideasListed(items);
  return fail(
    `no ideas follow: list them below, or name files such as ideas/*.md ${placeOf(line)}`,
  );
}

function ideasListed(items: ExploreEntry["items"]): Ideas {
  if (items.length > MAX_IDEAS) {
    return fail(`${items.length} ideas are given, the limit is ${MAX_IDEAS}`);
  }
  const ideas = new Map<string, { readonly idea: Idea; readonly line: MarkdownLine }>();
  for (const item of items) {
    const [line] = item;
    if (line === undefined) continue;
    const idea = ideaOfItem(item);
    if (idea.name === "") return fail(`an idea has no words ${placeOf(line)}`);
    const same = ideas.get(idea.name)?.line;
    if (same !== undefined) {
      return fail(
        `two ideas are called ${quote(idea.name)}: name one otherwise ${placeOf(same)} ${placeOf(line)}`,
      );
    }
    ideas.set(idea.name, { idea, line });
  }
  return ok({ ideas: { kind: "list", ideas: [...ideas.values()].map(({ idea }) => idea) } });
}

function filesNamed(value: readonly Stretch[], line: MarkdownLine): Ideas {
  const texts = textsIn(value);
  const problem = tooManyProblem(texts) ?? firstProblem(texts);
  if (problem !== undefined) return fail(`${problem} ${placeOf(line)}`);
  const claims = texts.map(({ text }) => parseClaim(text));
  const patterns = claims.flatMap((claim) => (claim.ok ? [claim.value.pattern] : []));
  return ok({ ideas: { kind: "files", patterns: [...new Set(patterns)] } });
}

/** It is `quoted` if it stands between backticks. */
interface NamedPath {
  readonly text: string;
  readonly quoted: boolean;
}

/** Words beside what stands between backticks explain it. */
function textsIn(value: readonly Stretch[]): readonly NamedPath[] {
  const pieces = splitPieces(value);
  const isExplained = pieces.some(({ quoted }) => quoted.length > 0);
  return pieces.flatMap(({ words, quoted }): readonly NamedPath[] => {
    if (quoted.length > 0) return quoted.map((text) => ({ text: text.trim(), quoted: true }));
    const isRemark = words === "" || (isExplained && !looksLikePath(words));
    return isRemark ? [] : [{ text: words, quoted: false }];
  });
}

/** This is checked before any pattern is expanded. */
function tooManyProblem(texts: readonly NamedPath[]): string | undefined {
  if (texts.length > MAX_IDEAS) {
    return `${texts.length} patterns are given, the limit is ${MAX_IDEAS}`;
  }
  let alternatives = 0;
  for (const { text } of texts) {
    const read = readPattern(text);
    if (read.ok) alternatives += read.value.alternatives;
  }
  if (alternatives <= MAX_ALTERNATIVES_PER_TASK) return undefined;
  return `the braces of the patterns stand for more than ${MAX_ALTERNATIVES_PER_TASK} paths: use folders or *`;
}

function firstProblem(texts: readonly NamedPath[]): string | undefined {
  if (texts.length === 0) return "no path is named";
  for (const named of texts) {
    const problem = pathProblem(named);
    if (problem !== undefined) return `cannot use ${quote(named.text)}: ${problem}`;
  }
  return undefined;
}

function pathProblem({ text, quoted }: NamedPath): string | undefined {
  if (text.includes("://")) return "a link is not a path; write the path";
  if (!quoted && text.includes("`")) return "a backtick without its partner";
  const claim = parseClaim(text);
  if (!claim.ok) return claim.error.reason;
  if (claim.value.mode !== "write") return "ideas are files, named without read: or !";
  if (quoted || looksLikePath(text)) return undefined;
  return `expected files such as ideas/*.md, in backticks if they have blanks, or a list below "ideas:"`;
}
