import type { Block, Place } from "../../shared/markdown/blocks.ts";
import { textOf } from "../../shared/markdown/lines.ts";
import type { Line, Stretch } from "../../shared/markdown/lines.ts";
import { readMarkdown } from "../../shared/markdown/read-markdown.ts";

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
  /** It has the words of a heading, or of a line that is bold as a whole; it is empty for a rule across the page. */
  readonly title: string | undefined;
}

/** Returns the lines that the page shows, but for its footnotes. */
export function markdownLines(text: string): readonly MarkdownLine[] {
  return readMarkdown(text)
    .blocks.filter(({ place }) => !place.footnote)
    .flatMap((block) => (block.place.quoted ? quotedLines(block) : linesOf(block)));
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

function linesOf(block: Block): readonly MarkdownLine[] {
  switch (block.kind) {
    case "code":
      return codeLines(block);
    case "rule":
      return [titleLine({ number: block.place.from, stretches: [] }, "")];
    case "heading":
      return headingLines(block);
    case "text":
      return block.lines.map((line, at) => wordsLine(line, block.place, at === 0));
  }
}

function codeLines({ place, text }: Block & { readonly kind: "code" }): readonly MarkdownLine[] {
  const lines = ["", ...text.split("\n")].map((line, at) => ({ number: place.from + at, line }));
  return lines
    .filter(({ line }, at) => at === 0 || line.trim() !== "")
    .map(({ number, line }, at) => {
      const content = line.trim();
      const stretches = [{ code: true, text: content }];
      const begins = at === 0;
      return {
        number,
        text: content,
        content,
        stretches,
        ...CODE,
        begins,
        nested: isNested(place),
      };
    });
}

const CODE = { bulleted: false, fenced: true, title: undefined };

/** Words of others declare nothing: they keep the mark that says so. */
function quotedLines(block: Block): readonly MarkdownLine[] {
  if (block.kind === "rule") return [];
  const lines =
    block.kind === "code"
      ? codeLines(block).map(({ number, text }) => ({ number, text }))
      : block.lines.map((line) => ({ number: line.number, text: textOf(line).trim() }));
  return lines.map(({ number, text }, at) => {
    const content = `> ${text}`;
    const stretches = [{ code: false, text: content }];
    const place = { begins: at === 0, nested: true };
    return { number, text: content, content, stretches, ...CODE, fenced: false, ...place };
  });
}

function isNested({ rest }: Place): boolean {
  return rest !== "";
}

/** A path right above a rule is a path: nobody means it as a heading. The last of several underlined lines is the title. */
function headingLines(block: Block & { readonly kind: "heading" }): readonly MarkdownLine[] {
  const { lines, underlined } = block;
  if (!underlined) return lines.map((line) => titleLine(line, plainTitle(textOf(line).trim())));
  const last = lines.length - 1;
  return lines.flatMap((line, at) => {
    const words = wordsLine(line, block.place, at === 0);
    if (at < last) return [words];
    const isPath = looksLikePath(words.content);
    return isPath ? [words, titleLine(line, "")] : [titleLine(line, plainTitle(words.content))];
  });
}

function titleLine(line: Line, title: string): MarkdownLine {
  const { number, stretches } = line;
  const text = textOf(line).trim();
  const place = { bulleted: false, fenced: false, begins: true, nested: false };
  return { number, stretches, text, content: text, ...place, title };
}

function wordsLine(line: Line, place: Place, begins: boolean): MarkdownLine {
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
