/** Longer than any event that we read; a program that prints no line break must not fill the memory. */
const LONGEST_LINE = 2 * 1_048_576;

/** Puts pieces of text together to lines; what is longer than the limit is left out as a whole. */
export function wholeLines(visit: (line: string) => void): {
  add(piece: string): void;
  end(): void;
} {
  let line = "";
  let tooLong = false;
  const finish = (): void => {
    if (!tooLong && line !== "") visit(line);
    line = "";
    tooLong = false;
  };
  const append = (piece: string): void => {
    if (tooLong) return;
    line += piece;
    tooLong = line.length > LONGEST_LINE;
    if (tooLong) line = "";
  };
  return {
    add(text) {
      const pieces = text.split("\n");
      for (const [index, piece] of pieces.entries()) {
        append(piece);
        if (index < pieces.length - 1) finish();
      }
    },
    end: finish,
  };
}
