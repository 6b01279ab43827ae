// Git's own framing: each line begins with its length, which counts itself, in four hexadecimal digits.
const LENGTH_DIGITS = 4;

/** Ends a message. */
export const FLUSH = "0000";
/** Stands between a command and what it is about. */
export const DELIMITER = "0001";

export function packet(text: string): string {
  const length = LENGTH_DIGITS + Buffer.byteLength(text);
  return length.toString(16).padStart(LENGTH_DIGITS, "0") + text;
}

/** The lines of one message; undefined unless it is whole. */
export function readPackets(message: Buffer): readonly string[] | undefined {
  const lines: string[] = [];
  for (let at = 0; at < message.length;) {
    const digits = message.toString("latin1", at, at + LENGTH_DIGITS);
    if (digits === FLUSH) return lines;
    const length = /^[0-9a-f]{4}$/.test(digits) ? Number.parseInt(digits, 16) : 0;
    if (length < LENGTH_DIGITS || at + length > message.length) return undefined;
    lines.push(message.toString("utf8", at + LENGTH_DIGITS, at + length).replace(/\n$/, ""));
    at += length;
  }
  return undefined;
}
