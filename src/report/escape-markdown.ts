import { cleanLine, cleanText, cutEnd, cutStart } from "../shared/clean-text.ts";
import { codeFence, inBackticks } from "../shared/code-fence.ts";
import { redact } from "./redact.ts";

/** Shows as nothing and parts what GitHub would otherwise read as one: backslashes alone do not stop mentions and links. */
const GAP = "\u200B";

/** `[skip ci]`, `[no ci]`, `[actions skip]`, `***NO_CI***`, `skip-checks: true`: in a commit they keep checks from running. */
const ORDERS_TO_CI =
  /\[(?=[^[\]]{0,40}\bskip\b)|\[(?=\s{0,9}no[\s_-])|\*\*\*(?=NO_CI)|\bskip-checks(?=\s{0,9}:)/gi;

/** As `quote` writes it; what a cut left open goes to the end. */
const QUOTED = /("(?:[^"\\]|\\.)*(?:"|$))/;

/** One line that reads the same and does nothing: no mention, no reference, no link, no order to a CI. For places without Markdown. */
export function inertLine(text: string, maxLength = 500): string {
  return defuse(cleanLine(text, maxLength));
}

/** Text of several lines that does nothing. For places without Markdown. */
export function inertText(text: string, maxLength: number): string {
  return defuse(cutEnd(cleanText(text).trim(), maxLength));
}

/** Someone's words as one line of Markdown that shows them as they are. */
export function escapeMarkdown(text: string, maxLength = 500): string {
  return escapeMarks(inertLine(text, maxLength));
}

/**
 * As `escapeMarkdown`, but issues of the same repository stay links: our own sentences name them. What such a sentence
 * quotes is somebody else's and names nothing.
 */
export function escapeReason(text: string, maxLength = 1000): string {
  const parts = cleanLine(text, maxLength).split(QUOTED);
  return escapeMarks(
    parts.map((part) => defuse(part, part.startsWith('"') ? "break" : "keep-own-issues")).join(""),
  );
}

/** Someone's words as code within a line. */
export function codeSpan(text: string, maxLength = 200): string {
  const line = cleanLine(text, maxLength);
  return line === "" ? "(nothing)" : inBackticks(line);
}

/** The end of a log as a block of code, without what looks like a secret. */
export function logBlock(tail: string, maxLength = 3000): string {
  // Cut twice: hiding is bounded work, and a secret at the first cut is gone with the second.
  const safe = redact(cleanText(cutStart(tail, maxLength * 2)));
  return codeFence(cutStart(safe.trim(), maxLength));
}

/** Someone's words of several lines as a block of code. */
export function textBlock(text: string, maxLength = 8000): string {
  const safe = redact(cleanText(cutEnd(text, maxLength * 2)));
  return codeFence(disobeyed(cutEnd(safe.trim(), maxLength)));
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

/** Marks that mean something anywhere in a line, and those that mean something at its start. */
function escapeMarks(line: string): string {
  return line
    .replace(/[\\`*_[\]<>~|$&]/g, "\\$&")
    .replace(/^(?:[-+=#]|\d{1,9}(?=[.)]))/, (start) =>
      /\d/.test(start) ? `${start}\\` : `\\${start}`,
    );
}
