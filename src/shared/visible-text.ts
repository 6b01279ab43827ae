import { cleanText } from "./clean-text.ts";
import { stripHtmlComments } from "./strip-html-comments.ts";

/** Longer than any tag that people write; a `<` without its end is only a character. */
const MAX_TAG = 2000;
const TAG_OR_CODE = /`+|<\/?[A-Za-z]/g;
const HTML_BLOCK = /^ {0,3}<[/A-Za-z!?]/;
const DEFINITION = /^( {0,3}\[[^\]]{1,200}\]:[ \t]*\S*).*$/;

interface Stretch {
  readonly code: boolean;
  readonly lines: string[];
}

/**
 * What a reader of the page sees of a Markdown text, still as Markdown: without comments, without the attributes of HTML
 * tags other than addresses, without the words that link definitions can carry, without invisible characters.
 */
export function visibleText(markdown: string): string {
  const lines = stripHtmlComments(cleanText(markdown)).split("\n");
  return stretchesOf(lines)
    .map((stretch) => (stretch.code ? stretch.lines.join("\n") : visibleProse(stretch.lines)))
    .join("\n")
    .trim();
}

/** Parts fenced code from the rest. Inside a block of HTML there are no fences, as on GitHub. */
function stretchesOf(lines: readonly string[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let fence = "";
  let inHtml = false;
  for (const line of lines) {
    inHtml = fence === "" && line.trim() !== "" && (inHtml || HTML_BLOCK.test(line));
    const mark = inHtml ? "" : fenceMark(line);
    const code = fence !== "" || mark !== "";
    const last = stretches.at(-1);
    if (last?.code === code) last.lines.push(line);
    else stretches.push({ code, lines: [line] });
    if (mark !== "") fence = nextFence(fence, mark, line);
  }
  return stretches;
}

function nextFence(fence: string, mark: string, line: string): string {
  if (fence === "") return mark;
  return mark.startsWith(fence) && line.trim() === mark ? "" : fence;
}

/** The marks that open or close a fence; empty on every other line. */
function fenceMark(line: string): string {
  const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
  return mark.startsWith("`") && line.trim().slice(mark.length).includes("`") ? "" : mark;
}

function visibleProse(lines: readonly string[]): string {
  return withoutAttributes(lines.map((line) => line.replace(DEFINITION, "$1")).join("\n"));
}

function withoutAttributes(text: string): string {
  const kept: string[] = [];
  let from = 0;
  let at = 0;
  for (const { index, 0: found } of text.matchAll(TAG_OR_CODE)) {
    if (index < at) continue;
    if (found.startsWith("`")) {
      at = endOfCode(text, index, found);
      continue;
    }
    const length = text.slice(index, index + MAX_TAG).indexOf(">") + 1;
    if (length === 0) continue;
    at = index + length;
    kept.push(text.slice(from, index), bareTag(text.slice(index, at)));
    from = at;
  }
  return [...kept, text.slice(from)].join("");
}

/** Code is kept as it is, but only within its line: what pairs across blocks is not code to GitHub. */
function endOfCode(text: string, start: number, run: string): number {
  const lineEnd = text.indexOf("\n", start);
  const line = text.slice(start, lineEnd < 0 ? undefined : lineEnd);
  for (const { index, 0: found } of line.slice(run.length).matchAll(/`+/g)) {
    if (found === run) return start + run.length + index + run.length;
  }
  return start + run.length;
}

function bareTag(tag: string): string {
  const name = /^<\/?[A-Za-z][A-Za-z0-9-]*/.exec(tag)?.[0] ?? "<";
  const addresses = tag.match(/\s(?:href|src)\s?=\s?(?:"[^"\s]*"|'[^'\s]*'|[^\s"'>]+)/gi) ?? [];
  return `${name}${addresses.map((address) => ` ${address.trim()}`).join("")}>`;
}
