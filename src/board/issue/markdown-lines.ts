import type { Block, Place } from "../../shared/markdown/blocks.ts";
import { textOf } from "../../shared/markdown/lines.ts";
import type { Line, Stretch } from "../../shared/markdown/lines.ts";
import { readMarkdown } from "../../shared/markdown/read-markdown.ts";
import { quote } from "../../shared/quote.ts";

/**
 * This is one line of an issue's text as far as the reader of tasks cares. A block of code begins with an empty line in place of
 * its mark.
 */
export interface MarkdownLine {
  /** It is counted from 1 in the text as written. */
  readonly number: number;
  /** It is the line as people see it, with its bullet. */
  readonly text: string;
  /** It is the text without its bullet, number or check box. */
  readonly content: string;
  /** It is the same as the content, with code kept apart. */
  readonly stretches: readonly Stretch[];
  readonly bulleted: boolean;
  readonly fenced: boolean;
  /** It is the first line of a paragraph, a list's item or a block of code. */
  readonly begins: boolean;
  /** It is inside a list's item or a quote. */
  readonly nested: boolean;
  /** So far its list, or its item's text, is indented below others; in a block of code it is the line's own indent there. */
  readonly indent: number;
  /** It goes on with a paragraph of an item, but is written to the left of it. */
  readonly lazy: boolean;
  /** It is a heading: by the marks before it, or by the line below it. */
  readonly heading: "marked" | "underlined" | undefined;
  /** It has the words of a heading, or of a line that is bold as a whole; it is empty for a rule across the page. */
  readonly title: string | undefined;
}

/** Returns the lines that the page shows, but for its footnotes. */
export function markdownLines(text: string): readonly MarkdownLine[] {
  const written = text.split(/\r\n?|\n/);
  return readMarkdown(text)
    .blocks.filter(({ place }) => !place.footnote)
    .flatMap((block) => (block.place.quoted ? quotedLines(block) : linesOf(block, written)));
}

/** Names a line at the end of a sentence for people. */
export function placeOf({ number, text }: Pick<MarkdownLine, "number" | "text">): string {
  return `(line ${number}: ${quote(text)})`;
}

/** Returns what follows the name at the start of a line, bold or not, and whether a colon parts them. */
export function fieldOf(
  { stretches }: Pick<MarkdownLine, "stretches">,
  name: string,
): { readonly stretches: readonly Stretch[]; readonly separated: boolean } | undefined {
  const [first, ...others] = stretches;
  if (first === undefined || first.code) return undefined;
  const line = first.text.trimStart();
  const bold = line.slice(0, line.length - skip(line, "*_").length);
  const start = line.slice(bold.length);
  if (start.slice(0, name.length).toLowerCase() !== name) return undefined;
  const rest = without(bold, start.slice(name.length)).trimStart();
  const separated = rest.startsWith(":");
  const text = separated ? without(bold, rest.slice(1)) : rest;
  return { stretches: [{ code: false, text: text.trimStart() }, ...others], separated };
}

/** Tells a path or pattern from a word of prose: no blank inside, and a separator, a star or an extension. */
export function looksLikePath(text: string): boolean {
  const trimmed = text.trim();
  if (/\s/.test(trimmed)) return false;
  return trimmed.includes("/") || trimmed.includes("*") || /\.\w/.test(trimmed);
}

function linesOf(block: Block, written: readonly string[]): readonly MarkdownLine[] {
  const { place } = block;
  switch (block.kind) {
    case "code":
      return codeLines(block);
    case "rule":
      return [titleLine({ number: place.from, stretches: [] }, "", { place, at: 0 })];
    case "heading":
      return headingLines(block);
    case "text":
      return textLines(block, written);
  }
}

function textLines(
  { lines, place }: Block & { readonly kind: "text" },
  written: readonly string[],
): readonly MarkdownLine[] {
  const margin = (at: number): number => marginOf(written[(lines[at]?.number ?? 0) - 1] ?? "");
  const least = isNested(place) ? margin(0) + (place.bulleted ? 1 : 0) : 0;
  return lines.map((line, at) => ({
    ...wordsLine(line, { place, at }),
    lazy: at > 0 && least > 0 && margin(at) < least,
  }));
}

function codeLines({ place, text }: Block & { readonly kind: "code" }): readonly MarkdownLine[] {
  const lines = ["", ...text.split("\n")].map((line, at) => ({ number: place.from + at, line }));
  return lines
    .filter(({ line }, at) => at === 0 || line.trim() !== "")
    .map(({ number, line }, at) => {
      const content = line.trim();
      return {
        number,
        text: content,
        content,
        stretches: [{ code: true, text: content }],
        ...CODE,
        begins: at === 0,
        nested: isNested(place),
        indent: blanksBefore(line),
      };
    });
}

const CODE = { bulleted: false, fenced: true, title: undefined, lazy: false, heading: undefined };

/** Words of others declare nothing: they keep the mark that says so. */
function quotedLines(block: Block): readonly MarkdownLine[] {
  if (block.kind === "rule") return [];
  const lines =
    block.kind === "code"
      ? codeLines(block).map(({ number, text }) => ({ number, text }))
      : block.lines.map((line) => ({ number: line.number, text: textOf(line).trim() }));
  const { first, rest } = block.place;
  return lines.map(({ number, text }, at) => {
    const content = `> ${text}`;
    const stretches = [{ code: false, text: content }];
    const place = { begins: at === 0, nested: true, indent: blanksBefore(at === 0 ? first : rest) };
    return { number, text: content, content, stretches, ...CODE, fenced: false, ...place };
  });
}

function isNested({ rest }: Place): boolean {
  return rest !== "";
}

const TAB = 4;
/** Nobody indents this far, and a line of blanks may be looked at for each of many parts of it. */
const MAX_MARGIN = 1000;

function marginOf(written: string): number {
  return blanksBefore(written.slice(0, MAX_MARGIN));
}

function blanksBefore(text: string): number {
  const blanks = text.slice(0, text.length - text.trimStart().length);
  return blanks.length + (TAB - 1) * (blanks.split("\t").length - 1);
}

/** A path right above a rule is a path: nobody means it as a heading. The last of several underlined lines is the title. */
function headingLines(block: Block & { readonly kind: "heading" }): readonly MarkdownLine[] {
  const { lines, underlined, place } = block;
  if (!underlined) {
    return lines.map((line, at) =>
      titleLine(line, plainTitle(textOf(line).trim()), { place, at, heading: "marked" }),
    );
  }
  const last = lines.length - 1;
  return lines.flatMap((line, at) => {
    const words = wordsLine(line, { place, at });
    if (at < last) return [words];
    return looksLikePath(words.content)
      ? [words, titleLine(line, "", { place, at })]
      : [titleLine(line, plainTitle(words.content), { place, at, heading: "underlined" })];
  });
}

interface LinePlace {
  readonly place: Place;
  /** It counts the lines of the block before this one. */
  readonly at: number;
  readonly heading?: MarkdownLine["heading"];
}

function titleLine(line: Line, title: string, where: LinePlace): MarkdownLine {
  return { ...wordsLine(line, where), begins: true, title, heading: where.heading };
}

function wordsLine(line: Line, { place, at }: LinePlace): MarkdownLine {
  const begins = at === 0;
  const bulleted = begins && place.bulleted;
  const stretches = bulleted ? withoutBox(line.stretches) : line.stretches;
  const whole = textOf(line).trim();
  return {
    number: line.number,
    text: begins ? `${place.first}${whole}`.trim() : whole,
    content: bulleted ? textOf({ stretches }).trim() : whole,
    stretches,
    bulleted,
    fenced: false,
    begins,
    nested: isNested(place),
    indent: blanksBefore(begins ? place.first : place.rest),
    lazy: false,
    heading: undefined,
    title: boldTitle(whole),
  };
}

function withoutBox([first, ...others]: readonly Stretch[]): readonly Stretch[] {
  if (first === undefined) return [];
  return [
    first.code ? first : { ...first, text: first.text.replace(/^\s*\[[ xX]\](?=\s|$)/, "") },
    ...others,
  ];
}

function boldTitle(line: string): string | undefined {
  if (!line.startsWith("**") && !line.startsWith("__")) return undefined;
  const text = line.endsWith(":") ? line.slice(0, -1) : line;
  const bold = ["**", "__"].find((mark) => text.startsWith(mark) && text.endsWith(mark));
  if (bold === undefined || text.length <= 4 || looksLikePath(text.slice(2, -2))) return undefined;
  const title = plainTitle(text.slice(2, -2));
  // `__tests__` is more often a folder than a title.
  return bold === "**" || title.includes(" ") || title === "files" ? title : undefined;
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
