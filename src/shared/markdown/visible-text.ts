import { assertNever } from "../assert-never.ts";
import { cleanText } from "../clean-text.ts";
import { codeFence } from "../code-fence.ts";
import type { Block } from "./blocks.ts";
import { textOf } from "./lines.ts";
import { readMarkdown } from "./read-markdown.ts";

/** Returns the part of a Markdown text that a reader of the page sees, in Markdown's own marks, and nothing else. */
export function visibleText(source: string): string {
  return layOut(readMarkdown(source).blocks, renderBlock);
}

/** Puts blocks below each other, each behind its margin, with blank lines where they were written apart. */
export function layOut(blocks: readonly Block[], render: (block: Block) => string): string {
  let end = 0;
  const shown = blocks.map((block) => {
    const { from, to, footnote, first, rest } = block.place;
    const isApart = from > end + 1 || (footnote && first !== rest);
    end = to;
    const lines = render(block).split("\n");
    const text = lines.map((line, at) => `${at === 0 ? first : rest}${line}`.trimEnd()).join("\n");
    return isApart ? `\n${text}` : text;
  });
  return shown.join("\n").trim();
}

/** The text is cleaned before it is put into marks: the cleaned text could end them otherwise. */
function renderBlock(block: Block): string {
  switch (block.kind) {
    case "text":
      return cleanText(block.lines.map(textOf).join("\n"));
    case "heading":
      return `${"#".repeat(block.level)} ${cleanText(block.lines.map(textOf).join(" ")).trim()}`;
    case "code":
      return codeFence(cleanText(block.text), block.language);
    case "rule":
      return "---";
    default:
      return assertNever(block);
  }
}
