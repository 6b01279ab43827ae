const CONTROL = /\p{Cc}|\p{Bidi_Control}|[\u2028\u2029]/gu;
const ZERO_WIDTH = /\p{Mark}|\p{Cf}/u;
const WIDE =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\u3000-\u303f\uff01-\uff60]/u;

/** Text from outside must not move the cursor, change colours or reorder the line. */
export function printable(text: string): string {
  return text.replace(CONTROL, " ");
}

/** Counts the columns that the text takes in a terminal. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** Cuts what does not fit, with an ellipsis, and fills what is missing with spaces. */
export function fitText(text: string, width: number, align: "left" | "right" = "left"): string {
  const cut = cutText(text, width);
  const space = " ".repeat(Math.max(0, width - textWidth(cut)));
  return align === "left" ? cut + space : space + cut;
}

export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let cut = "";
  let used = 1;
  for (const character of text) {
    used += characterWidth(character);
    if (used > width) break;
    cut += character;
  }
  return width < 1 ? "" : `${cut}…`;
}

function characterWidth(character: string): number {
  if (ZERO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
