import { UNSEEN } from "./unseen.ts";

const BROKEN = /\p{Cs}/gu;
// eslint-disable-next-line no-control-regex -- terminals' colour codes are made of these
const COLOURS = /\u001b\[[0-9;?]{0,20}[A-Za-z]/g;
// eslint-disable-next-line no-control-regex -- everything but the tab and the line break
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text of several lines with only what can be seen: no control characters, no colours, no hidden marks. */
export function cleanText(text: string): string {
  return (
    text
      // Before anything is taken out: two halves with something between them would come together.
      .replace(BROKEN, "\uFFFD")
      .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
      .replace(COLOURS, "")
      .replace(CONTROLS, "")
      .replace(UNSEEN, "")
  );
}

/** The same on one line, cut at a length. */
export function cleanLine(text: string, maxLength = 500): string {
  // Cut first, generously: cleaning only shortens, and the input may be huge.
  const line = cleanText(text.slice(0, maxLength * 4))
    .split(/\s+/)
    .join(" ")
    .trim();
  return cutEnd(line, maxLength);
}

/** Keeps the beginning. */
export function cutEnd(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${wholeCharacters(text.slice(0, maxLength - 1))}…`;
}

/** Keeps the end, which is what matters of a log. */
export function cutStart(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `…${wholeCharacters(text.slice(1 - maxLength))}`;
}

/** A cut may go through a pair of surrogates; the half that is left is dropped. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
}
