import type { Idea } from "../../domain/exploration.ts";
import { cleanText } from "../../shared/clean-text.ts";
import { codeFence } from "../../shared/code-fence.ts";
import type { MarkdownLine } from "./markdown-lines.ts";

const MAX_NAME_LENGTH = 80;

/** These lines of an item are words, or one block of code. */
interface Part {
  readonly isCode: boolean;
  readonly lines: MarkdownLine[];
}

/** Returns the idea of a list's item, as the page shows it; it has no name where the page shows no words. */
export function ideaOfItem([first, ...below]: readonly MarkdownLine[]): Idea {
  if (first === undefined) return { name: "", text: "" };
  const margin = below.reduce(
    (least, line) => (isCodeOf(first, line) ? least : Math.min(least, line.indent)),
    Infinity,
  );
  const lines = [{ ...first, text: first.content, indent: 0 }, ...below];
  // A block of code begins with an empty line in place of its mark.
  const texts = partsOf(lines).map((part) =>
    part.isCode ? codeFence(indented(part.lines.slice(1), 0), "") : indented(part.lines, margin),
  );
  const text = cleanText(texts.join("\n\n")).trim();
  return { name: nameOf(text), text };
}

function partsOf(lines: readonly MarkdownLine[]): readonly Part[] {
  const [first] = lines;
  const parts: Part[] = [];
  for (const line of lines) {
    const isCode = isCodeOf(first, line);
    const last = parts.at(-1);
    if (last?.isCode === isCode && !(isCode && line.begins)) last.lines.push(line);
    else parts.push({ isCode, lines: [line] });
  }
  return parts;
}

/** An item that is itself in a block of code has no other code in it. */
function isCodeOf(first: MarkdownLine | undefined, line: MarkdownLine): boolean {
  return line.fenced && first?.fenced === false;
}

/** What was indented stays so, and where lines were empty one is. */
function indented(lines: readonly MarkdownLine[], margin: number): string {
  const texts = lines.map(({ indent, number, text }, at) => {
    const before = lines[at - 1]?.number ?? number;
    const blanks = " ".repeat(Math.max(0, indent - margin));
    return `${number > before + 1 ? "\n" : ""}${blanks}${text}`;
  });
  return texts.join("\n");
}

function nameOf(text: string): string {
  const [first = ""] = text.split("\n", 1);
  const line = first
    .slice(0, 10 * MAX_NAME_LENGTH)
    .trim()
    .split(/\s+/)
    .join(" ");
  return Array.from(line).slice(0, MAX_NAME_LENGTH).join("").trimEnd();
}
