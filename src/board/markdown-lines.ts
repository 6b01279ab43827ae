import { looksLikePath } from "./looks-like-path.ts";

/**
 * One line of an issue's text as far as the reader of tasks cares. Blank lines are left out; a code fence begins with an
 * empty line in place of its mark.
 */
export interface MarkdownLine {
  /** Counted from 1 in the text as written. */
  readonly number: number;
  readonly text: string;
  /** The text without its bullet, number or check box. */
  readonly content: string;
  readonly bulleted: boolean;
  readonly fenced: boolean;
  /** The words of a heading, or of a line that is bold as a whole; empty for a rule across the page. */
  readonly title: string | undefined;
}

interface Fence {
  readonly mark: string;
  readonly length: number;
}

/** Splits a text into lines in one pass, whatever it contains. */
export function markdownLines(text: string): readonly MarkdownLine[] {
  const lines: MarkdownLine[] = [];
  let fence: Fence | undefined;
  let number = 0;
  for (const raw of text.split(/\r\n|\r|\n/)) {
    number += 1;
    const trimmed = raw.trim();
    if (trimmed === "") continue;
    const above = lines.at(-1);
    if (above?.number === number - 1 && isUnderlined(above, trimmed)) {
      lines[lines.length - 1] = { ...above, title: plainTitle(above.text) };
      continue;
    }
    const mark = fenceMark(trimmed);
    const isFenced = fence !== undefined;
    if (mark !== undefined && fence === undefined) {
      fence = mark;
      lines.push(lineFrom("", number, true));
    } else if (mark !== undefined && closes(mark, fence)) fence = undefined;
    else lines.push(lineFrom(trimmed, number, isFenced));
  }
  return lines;
}

function lineFrom(text: string, number: number, fenced: boolean): MarkdownLine {
  const content = withoutBullet(text);
  const title = fenced ? undefined : titleOf(text);
  return { number, text, content, bulleted: content !== text, fenced, title };
}

/** What follows the name on a line that starts with it, bold or not, and whether a colon parts them. */
export function fieldOf(
  line: string,
  name: string,
): { readonly text: string; readonly separated: boolean } | undefined {
  if (!"*_".includes(line.charAt(0)) && !startsWith(line, name)) return undefined;
  const bold = line.slice(0, line.length - skip(line, "*_").length);
  const start = line.slice(bold.length);
  if (!startsWith(start, name)) return undefined;
  const rest = without(bold, start.slice(name.length)).trim();
  if (!rest.startsWith(":")) return { text: rest, separated: false };
  return { text: without(bold, rest.slice(1)).trim(), separated: true };
}

function withoutBullet(text: string): string {
  const bullet = /^(?:[-*+]|\d{1,9}[.)])(?:\s|$)/.exec(text);
  if (bullet === null) return text;
  const rest = text.slice(bullet[0].length).trim();
  return /^\[[ xX]\](?:\s|$)/.test(rest) ? rest.slice(3).trim() : rest;
}

function fenceMark(text: string): (Fence & { readonly bare: boolean }) | undefined {
  if (!text.includes("```") && !text.includes("~~~")) return undefined;
  const trimmed = withoutBullet(text);
  const mark = trimmed.charAt(0);
  if (mark !== "`" && mark !== "~") return undefined;
  let length = 1;
  while (trimmed[length] === mark) length += 1;
  const rest = trimmed.slice(length);
  if (length < 3 || (mark === "`" && rest.includes("`"))) return undefined;
  return { mark, length, bare: rest === "" };
}

function closes(mark: Fence & { readonly bare: boolean }, fence: Fence | undefined): boolean {
  return mark.bare && mark.mark === fence?.mark && mark.length >= fence.length;
}

function titleOf(trimmed: string): string | undefined {
  if (!"#-*_".includes(trimmed.charAt(0))) return undefined;
  if (isRule(trimmed)) return "";
  const hashes = /^#{1,6}(?=\s|$)/.exec(trimmed);
  if (hashes !== null) return plainTitle(trimTrailing(trimmed.slice(hashes[0].length), "#"));
  return boldTitle(trimmed);
}

function isRule(trimmed: string): boolean {
  const marks = trimmed.replaceAll(" ", "");
  return trimmed.length >= 3 && "-*_".includes(trimmed.charAt(0)) && isOneMark(marks);
}

function boldTitle(trimmed: string): string | undefined {
  const text = trimmed.endsWith(":") ? trimmed.slice(0, -1) : trimmed;
  const bold = ["**", "__"].find((mark) => text.startsWith(mark) && text.endsWith(mark));
  if (bold === undefined || text.length <= 4 || looksLikePath(text.slice(2, -2))) return undefined;
  const title = plainTitle(text.slice(2, -2));
  // `__tests__` is more often a folder than a title.
  return bold === "**" || title.includes(" ") || title === "files" ? title : undefined;
}

/** A path right above a rule is a path: nobody means it as a heading. */
function isUnderlined(above: MarkdownLine, under: string): boolean {
  if (!"=-".includes(under.charAt(0)) || !isOneMark(under)) return false;
  return !(
    above.fenced ||
    above.bulleted ||
    above.title !== undefined ||
    looksLikePath(above.text)
  );
}

function isOneMark(text: string): boolean {
  return text === text.charAt(0).repeat(text.length);
}

function plainTitle(text: string): string {
  return trimTrailing(skip(trimTrailing(text, "*_:"), "*_ "), "*_:").toLowerCase();
}

function trimTrailing(text: string, marks: string): string {
  let end = text.trimEnd().length;
  while (end > 0 && marks.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end).trim();
}

function skip(text: string, marks: string): string {
  let start = 0;
  while (start < text.length && marks.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}

function without(prefix: string, text: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

function startsWith(text: string, name: string): boolean {
  return text.slice(0, name.length).toLowerCase() === name;
}
