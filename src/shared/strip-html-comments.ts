const OPEN = "<!--";
const CLOSE = "-->";

/**
 * Takes out what GitHub does not show of a text: its HTML comments. Line breaks stay, so lines keep their numbers.
 * A comment that is never closed hides the rest only where it starts its line; elsewhere Markdown shows it.
 */
export function stripHtmlComments(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, from)) {
    const close = text.indexOf(CLOSE, open + 2);
    if (close < 0 && !startsItsLine(text, open)) break;
    const end = close < 0 ? text.length : close + CLOSE.length;
    kept.push(text.slice(from, open), lineBreaksOf(text.slice(open, end)));
    from = end;
  }
  kept.push(text.slice(from));
  return kept.join("");
}

function startsItsLine(text: string, at: number): boolean {
  return text.slice(text.lastIndexOf("\n", at) + 1, at).trim() === "";
}

function lineBreaksOf(text: string): string {
  return "\n".repeat(text.split("\n").length - 1);
}
