/** Only our branches begin with this. */
export const OUR_BRANCHES = "wavetrain/";

const ALIAS = /<!-- wavetrain:id=([A-Za-z0-9._-]{1,64}) -->/;
const OWN_PART_BEGINS = "<!-- wavetrain:pull-request -->";
const OWN_PART_ENDS = "<!-- /wavetrain:pull-request -->";

/** Returns the id that an imported task had in its file. A hidden marker of the body keeps it. */
export function aliasOf(body: string): string | undefined {
  return ALIAS.exec(body)?.[1];
}

export function aliasMarker(alias: string): string {
  return `<!-- wavetrain:id=${alias} -->`;
}

/** Marks our part of a text that people write in, too. Text that it quotes cannot end it. */
export function markOwnPart(text: string): string {
  const inner = text.replaceAll(OWN_PART_BEGINS, "").replaceAll(OWN_PART_ENDS, "");
  return `${OWN_PART_BEGINS}\n${inner}${inner.endsWith("\n") ? "" : "\n"}${OWN_PART_ENDS}\n`;
}

/** Puts a new part of ours into the text and leaves everything else as it is; it returns undefined when it is not clear which part is ours. */
export function replaceOwnPart(text: string, part: string): string | undefined {
  const [before, ours, ...more] = text.split(OWN_PART_BEGINS);
  const [, after, ...further] = ours?.split(OWN_PART_ENDS) ?? [];
  if (before === undefined || after === undefined || more.length + further.length > 0) {
    return undefined;
  }
  return before.includes(OWN_PART_ENDS) ? undefined : `${before}${part.trimEnd()}${after}`;
}
