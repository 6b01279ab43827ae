import stringWidth from "string-width";

const CONTROL = /\p{Cc}|\p{Bidi_Control}|[\u2028\u2029]/gu;
const CHARACTERS = new Intl.Segmenter();

/** Text from outside must not move the cursor, change colours or reorder the line. */
export function printable(text: string): string {
  return text.replace(CONTROL, " ");
}

/** Counts the columns that the text takes in a terminal. */
export function textWidth(text: string): number {
  return stringWidth(text);
}

/** Cuts what does not fit, with an ellipsis, and fills what is missing with spaces. */
export function fitText(text: string, width: number, align: "left" | "right" = "left"): string {
  const cut = cutText(text, width);
  const space = " ".repeat(Math.max(0, width - textWidth(cut)));
  return align === "left" ? cut + space : space + cut;
}

/** Cuts between characters as people see them: an emoji of several code points stays whole or goes. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let cut = "";
  let used = 1;
  for (const { segment } of CHARACTERS.segment(text)) {
    used += textWidth(segment);
    if (used > width) break;
    cut += segment;
  }
  return width < 1 ? "" : `${cut}…`;
}
