import { codeSpan, escapeMarkdown } from "../report/escape-markdown.ts";
import { cleanText, cutEnd } from "../shared/clean-text.ts";
import { codeFence } from "../shared/code-fence.ts";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const BULLET = /^( {0,12})(?:[-*+]|\d{1,9}[.)])\s+(\S.*)$/;
const HEADING = /^#{1,6}\s+(\S.*)$/;
const LINE_LENGTH = 4000;

/**
 * Someone's Markdown that reads like it and does nothing: lists, paragraphs and code stay, headings become bold, and no
 * mention, link, reference or HTML is left.
 */
export function renderWords(text: string, maxLength: number): string {
  const out: string[] = [];
  const code: string[] = [];
  let fence: string | undefined;
  for (const line of cutEnd(cleanText(text), maxLength).split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === undefined && mark !== undefined) fence = mark;
    else if (fence === undefined) out.push(renderLine(line));
    else if (mark?.startsWith(fence) === true && line.trim() === mark) {
      out.push(codeFence(code.splice(0).join("\n")));
      fence = undefined;
    } else code.push(line);
  }
  if (fence !== undefined) out.push(codeFence(code.join("\n")));
  return out
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function renderLine(line: string): string {
  const heading = HEADING.exec(line)?.[1];
  if (heading !== undefined) return `**${renderInline(heading.replace(/\s*#+\s*$/, ""))}**`;
  const [, indent = "", item] = BULLET.exec(line) ?? [];
  return item === undefined ? renderInline(line) : `${indent}- ${renderInline(item)}`;
}

/** What stands between two single backticks is code; every other mark is only a character. */
function renderInline(text: string): string {
  return text
    .split(/`([^`]{1,200})`/)
    .map((part, at) => (at % 2 === 1 ? codeSpan(part) : withSpaces(part)))
    .join("");
}

/** Escaping trims, but the spaces beside code are part of the sentence. */
function withSpaces(part: string): string {
  const [before = "", after = ""] = [/^\s/.exec(part)?.[0], /\s$/.exec(part)?.[0]];
  const inner = escapeMarkdown(part, LINE_LENGTH);
  return inner === "" ? before : `${before && " "}${inner}${after && " "}`;
}
