import type { MarkdownLine } from "./markdown-lines.ts";

/** Why a declared text is not a path at all but something of the page, as the end of a sentence. */
export function proseProblem(text: string, line: MarkdownLine): string | undefined {
  if (text.includes("://")) return "a link is not a path; write the path";
  if (line.fenced) return undefined;
  if (text.startsWith("<")) return "HTML is not a path";
  if (text.includes("`")) return "a backtick without its partner";
  const hasBlank = /\s/.test(text.replace(/^(?:read:|!)\s*/i, ""));
  return hasBlank && !line.stretches.some(({ code }) => code)
    ? "one path a line, in backticks if it has blanks"
    : undefined;
}
