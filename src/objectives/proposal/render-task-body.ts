import { aliasMarker } from "../../domain/markers.ts";
import { codeSpan, escapeMarkdown } from "../../report/render/escape-markdown.ts";
import { cleanText, cutEnd } from "../../shared/clean-text.ts";
import { codeFence } from "../../shared/code-fence.ts";
import type { Block } from "../../shared/markdown/blocks.ts";
import type { Line } from "../../shared/markdown/lines.ts";
import { readMarkdown } from "../../shared/markdown/read-markdown.ts";
import { layOut } from "../../shared/markdown/visible-text.ts";

export interface TaskBody {
  /** The issue is found again by it. */
  readonly alias: string;
  /** Says in our own words where the issue belongs. */
  readonly origin: string;
  /** This is Markdown that does nothing by itself. */
  readonly words: string;
  readonly files: readonly string[];
}

/** Renders the text of an issue that the app or the command line opens, in the form that tasks are read from. */
export function renderTaskBody({ alias, origin, words, files }: TaskBody): string {
  const parts = [
    aliasMarker(alias),
    origin,
    words,
    // In a fence, each line is a pattern as it is written.
    files.length === 0 ? "" : `### Files\n\n${codeFence(files.join("\n"))}`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

const MAX_LINE_LENGTH = 4000;
/** It matches the marks of quotes and footnotes, and bullets of every kind. */
const MARKS = /> |\[\^\d+\]: |(?:\d+[.)]|[*+])(?= )/g;

/**
 * Renders someone's Markdown so that it reads the same and does nothing: lists, paragraphs and code stay, headings
 * become bold, and no mention, link, reference or HTML is left.
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

/** Keeps text between backticks as code; every other mark becomes a plain character. */
function renderLine({ stretches }: Line): string {
  return stretches
    .map(({ code, text }) => (code ? codeSpan(text) : withSpaces(text)))
    .join("")
    .trim();
}

/** Escaping trims the text, but the spaces beside code are part of the sentence. */
function withSpaces(part: string): string {
  const [before = "", after = ""] = [/^\s/.exec(part)?.[0], /\s$/.exec(part)?.[0]];
  const inner = escapeMarkdown(part, MAX_LINE_LENGTH);
  return inner === "" ? before : `${before && " "}${inner}${after && " "}`;
}
