const BEGINS = "<!-- wavetrain:pull-request -->";
const ENDS = "<!-- /wavetrain:pull-request -->";

/** Our part of a text that people write in, too. What it quotes cannot end it. */
export function markOwnPart(text: string): string {
  const inner = text.replaceAll(BEGINS, "").replaceAll(ENDS, "");
  return `${BEGINS}\n${inner}${inner.endsWith("\n") ? "" : "\n"}${ENDS}\n`;
}

/** The text with a new part of ours and everything else as it is; undefined when it is not clear which part is ours. */
export function replaceOwnPart(text: string, part: string): string | undefined {
  const [before, ours, ...more] = text.split(BEGINS);
  const [, after, ...further] = ours?.split(ENDS) ?? [];
  if (before === undefined || after === undefined || more.length + further.length > 0) {
    return undefined;
  }
  return before.includes(ENDS) ? undefined : `${before}${part.trimEnd()}${after}`;
}
