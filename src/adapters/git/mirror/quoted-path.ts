/** Git writes a path in quotes where it has any byte but plain characters, and reads it so again. No byte of it is lost on the way. */
export const QUOTING: readonly (readonly [string, string])[] = [["core.quotePath", "true"]];

const LETTERS: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
};

/** Returns the path as text, with U+FFFD for what is no UTF-8. */
export function pathFrom(written: string): string {
  if (!written.startsWith('"')) return written;
  const bytes = written
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/g, (_, code: string) => String.fromCharCode(byteOf(code)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** A quote and a backslash stand for themselves. */
function byteOf(code: string): number {
  return code.length === 3 ? parseInt(code, 8) : (LETTERS[code] ?? code.charCodeAt(0));
}
