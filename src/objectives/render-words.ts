import { codeSpan, escapeMarkdown } from "../report/escape-markdown.ts";
import { cleanText, cutEnd } from "../shared/clean-text.ts";
import { codeFence } from "../shared/code-fence.ts";
import type { Block } from "../shared/markdown/blocks.ts";
import type { Line } from "../shared/markdown/lines.ts";
import { readMarkdown } from "../shared/markdown/read-markdown.ts";
import { layOut } from "../shared/markdown/visible-text.ts";

const LINE_LENGTH = 4000;
/** Marks of quotes and footnotes, and bullets of every kind. */
const MARKS = /> |\[\^\d+\]: |(?:\d+[.)]|[*+])(?= )/g;

/**
 * Someone's Markdown that reads like it and does nothing: lists, paragraphs and code stay, headings become bold, and no
 * mention, link, reference or HTML is left.
 */
export function renderWords(text: string, maxLength: number): string {
  const { blocks } = readMarkdown(cutEnd(text, maxLength));
  return layOut(blocks.map(withPlainMargin), renderBlock);
}

function withPlainMargin(block: Block): Block {
  const { first, rest } = block.place;
  const plain = (margin: string) =>
    margin.replace(MARKS, (mark) => (/^[>[]/.test(mark) ? "" : "-"));
  return { ...block, place: { ...block.place, first: plain(first), rest: plain(rest) } };
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case "text":
      return block.lines.map(renderLine).join("\n");
    case "heading":
      return `**${block.lines.map(renderLine).join(" ")}**`;
    case "code":
      return codeFence(cleanText(block.text));
    case "rule":
      return "";
  }
}

/** What stood between backticks is code; every other mark is only a character. */
function renderLine({ stretches }: Line): string {
  return stretches
    .map(({ code, text }) => (code ? codeSpan(text) : withSpaces(text)))
    .join("")
    .trim();
}

/** Escaping trims, but the spaces beside code are part of the sentence. */
function withSpaces(part: string): string {
  const [before = "", after = ""] = [/^\s/.exec(part)?.[0], /\s$/.exec(part)?.[0]];
  const inner = escapeMarkdown(part, LINE_LENGTH);
  return inner === "" ? before : `${before && " "}${inner}${after && " "}`;
}
