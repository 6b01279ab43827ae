const BROKEN = /\p{Cs}/gu;
// eslint-disable-next-line no-control-regex -- terminals' colour codes are made of these
const COLOURS = /\u001b\[[0-9;?]{0,20}[A-Za-z]/g;
// eslint-disable-next-line no-control-regex -- everything but the tab and the line break
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/**
 * These characters show as nothing, turn the writing round or carry hidden bytes. A single one of those that choose the looks of an emoji is
 * not among them.
 */
export const UNSEEN =
  /[\p{Cf}\p{Co}]|(?![\uFE00-\uFE0F])\p{Default_Ignorable_Code_Point}|[\uFE00-\uFE0F]{2,}/gu;

/** Keeps only what can be seen of a text of several lines: no control characters, no colours, no hidden marks. */
export function cleanText(text: string): string {
  return (
    text
      // This comes before anything is taken out: two halves with something between them would come together.
      .replace(BROKEN, "\uFFFD")
      .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
      .replace(COLOURS, "")
      .replace(CONTROLS, "")
      .replace(UNSEEN, "")
  );
}

/** Does the same on one line and cuts it at a length. */
export function cleanLine(text: string, maxLength = 500): string {
  // It cuts first, generously: cleaning only shortens, and the input may be huge.
  const line = cleanText(text.slice(0, maxLength * 4))
    .split(/\s+/)
    .join(" ")
    .trim();
  return cutEnd(line, maxLength);
}

/** It keeps the beginning. */
export function cutEnd(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${wholeCharacters(text.slice(0, maxLength - 1))}…`;
}

/** It keeps the end, which matters most in a log. */
export function cutStart(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `…${wholeCharacters(text.slice(1 - maxLength))}`;
}

/** A cut may go through a pair of surrogates; the half that is left is dropped. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
}
