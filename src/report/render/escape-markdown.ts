import { cleanLine, cleanText, cutEnd, cutStart } from "../../shared/clean-text.ts";
import { codeFence, inBackticks } from "../../shared/code-fence.ts";
import { redact } from "../../shared/redact.ts";

/**
 * This character is invisible and separates what GitHub would otherwise read as one word: backslashes alone do not stop mentions and links.
 */
const GAP = "\u200B";

/** It finds `[skip ci]`, `[no ci]`, `[actions skip]`, `***NO_CI***` and `skip-checks: true`, which keep checks of a commit from running. */
const ORDERS_TO_CI =
  /\[(?=[^[\]]{0,40}\bskip\b)|\[(?=\s{0,9}no[\s_-])|\*\*\*(?=NO_CI)|\bskip-checks(?=\s{0,9}:)/gi;

/** It finds what `quote` writes; a quotation that a cut left open goes to the end. */
const QUOTED = /("(?:[^"\\]|\\.)*(?:"|$))/;

/**
 * Makes one line that reads the same and does nothing: no mention, no reference, no link, no order to a CI. It is for places without
 * Markdown.
 */
export function inertLine(text: string, maxLength = 500): string {
  return defuse(cleanLine(text, maxLength));
}

/** Makes text of several lines that does nothing. It is for places without Markdown. */
export function inertText(text: string, maxLength: number): string {
  return defuse(cutEnd(cleanText(text).trim(), maxLength));
}

/** Writes someone's words as one line of Markdown that shows them as they are. */
export function escapeMarkdown(text: string, maxLength = 500): string {
  return escapeMarks(inertLine(text, maxLength));
}

/**
 * Works as `escapeMarkdown` does, but issues of the same repository stay links, because our own sentences name them. Quotations in such a
 * sentence are somebody else's words and become no links.
 */
export function escapeReason(text: string, maxLength = 1000): string {
  const parts = cleanLine(text, maxLength).split(QUOTED);
  return escapeMarks(
    parts.map((part) => defuse(part, part.startsWith('"') ? "break" : "keep-own-issues")).join(""),
  );
}

/** Writes someone's words as code within a line. */
export function codeSpan(text: string, maxLength = 200): string {
  const line = cleanLine(text, maxLength);
  return line === "" ? "(nothing)" : inBackticks(line);
}

/** Writes the end of a log as a block of code, without what looks like a secret. */
export function logBlock(tail: string, maxLength = 3000): string {
  // The text is cut twice: the first cut bounds the work of hiding, and the second removes a secret that the first cut in two.
  const safe = redact(cleanText(cutStart(tail, maxLength * 2)));
  return codeFence(cutStart(safe.trim(), maxLength));
}

/** Writes someone's words of several lines as a block of code. */
export function textBlock(text: string, maxLength = 8000): string {
  const safe = redact(cleanText(cutEnd(text, maxLength * 2)));
  return codeFence(disobeyed(cutEnd(safe.trim(), maxLength)));
}

/** Writes someone's words as part of a quoted label in a Mermaid picture: every character that Mermaid could read as its own by its number. */
export function mermaidText(text: string, maxLength: number): string {
  const line = cleanLine(text, maxLength);
  return line.replace(/["'`<>#;&%{}[\]()|\\$]/g, (mark) => `#${mark.charCodeAt(0)};`);
}

function defuse(text: string, issues: "break" | "keep-own-issues" = "break"): string {
  const reference = issues === "break" ? /#(?=\d)/g : /(?<=[\w.-])#(?=\d)/g;
  return disobeyed(text)
    .replaceAll("@", `@${GAP}`)
    .replaceAll("://", `:${GAP}//`)
    .replace(/www(?=\.)/gi, `$&${GAP}`)
    .replace(/gh-(?=\d)/gi, `$&${GAP}`)
    .replace(reference, `#${GAP}`);
}

function disobeyed(text: string): string {
  return text.replace(ORDERS_TO_CI, `$&${GAP}`);
}

/** Escapes marks that mean something anywhere in a line, and those that mean something at its start. */
function escapeMarks(line: string): string {
  return line
    .replace(/[\\`*_[\]<>~|$&]/g, "\\$&")
    .replace(/^(?:[-+=#]|\d{1,9}(?=[.)]))/, (start) =>
      /\d/.test(start) ? `${start}\\` : `\\${start}`,
    );
}
