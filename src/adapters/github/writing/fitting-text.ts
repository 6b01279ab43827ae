/** GitHub takes 65,536 characters of a comment or a description and 65,535 bytes of a check run's summary. */
const MAX_BYTES = 65_000;

const ROOM_FOR_THE_END = 500;

const CUT = "_The rest is left out: GitHub takes no longer text._";

/** Tells whether GitHub takes the text as it is. Bytes are counted: there are never fewer of them than characters. */
export function fits(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_BYTES;
}

/** Cuts a text that GitHub would refuse at the end of a line, and says so in it. */
export function fittingText(text: string): string {
  if (fits(text)) return text;
  const bytes = Buffer.from(text).subarray(0, MAX_BYTES - ROOM_FOR_THE_END);
  // A decoder that expects more leaves out a letter of which only a part is there.
  const kept = new TextDecoder().decode(bytes, { stream: true });
  const end = kept.lastIndexOf("\n");
  return `${closed(end === -1 ? kept : kept.slice(0, end))}\n\n${CUT}\n`;
}

/** A block of code that was cut in two would swallow what follows it. */
function closed(text: string): string {
  let open = "";
  for (const [, mark = ""] of text.matchAll(/^(`{3,})/gm)) {
    if (open === "") open = mark;
    else if (mark.length >= open.length) open = "";
  }
  return open === "" ? text : `${text}\n${open}`;
}
