import { inBackticks } from "../code-fence.ts";

/** A stretch is a part of a line: words, or code that stood between backticks. */
export interface Stretch {
  readonly code: boolean;
  readonly text: string;
}

/** This is a line as it is seen. */
export interface Line {
  /** It begins at this line of the text as written, counted from 1. */
  readonly number: number;
  readonly stretches: readonly Stretch[];
}

/** Puts lines together, stretch by stretch. */
export class Lines {
  readonly #lines: { readonly number: number; readonly stretches: Writable[] }[] = [];
  #stretches: Writable[] = [];
  #number: number;
  #linkIsEmpty = false;

  constructor(number: number) {
    this.#number = number;
    this.break();
  }

  get all(): readonly Line[] {
    return this.#lines;
  }

  /** Adds words as they are; a line break in them begins a line. */
  add(text: string): void {
    if (!text.includes("\n")) {
      this.#push(text, false);
      return;
    }
    text.split("\n").forEach((part, at) => {
      if (at > 0) this.nextLine();
      this.#push(part, false);
    });
  }

  addCode(text: string): void {
    this.#push(text, true);
  }

  nextLine(): void {
    this.skip(1);
    this.break();
  }

  /** Begins a new line where the source has none. */
  break(): void {
    this.#stretches = [];
    this.#lines.push({ number: this.#number, stretches: this.#stretches });
  }

  /** Passes over lines of the source on which nothing is seen. */
  skip(lines: number): void {
    this.#number += lines;
  }

  startLink(): void {
    this.#linkIsEmpty = true;
  }

  /** Tells whether nothing is seen since the last link began. */
  get linkIsEmpty(): boolean {
    return this.#linkIsEmpty;
  }

  #push(text: string, code: boolean): void {
    if (text === "") return;
    if (this.#linkIsEmpty) this.#linkIsEmpty = !/[^\s\p{C}]/u.test(text);
    const last = this.#stretches.at(-1);
    if (last === undefined || last.code || code) this.#stretches.push({ code, text });
    else last.text += text;
  }
}

interface Writable {
  readonly code: boolean;
  text: string;
}

/** Returns a line as text, with code between backticks again; it may begin with blanks. */
export function textOf({ stretches }: Pick<Line, "stretches">): string {
  let all = "";
  for (const { code, text } of stretches) all += code ? inBackticks(text) : text;
  return all.trimEnd();
}

/** Cuts the ranges out of the lines. */
export function without(
  lines: readonly Line[],
  ranges: readonly (readonly [from: number, to: number])[],
): readonly Line[] {
  if (ranges.length === 0) return lines;
  let at = 0;
  return lines.map(({ number, stretches }) => {
    const kept = stretches.map(({ code, text }) => {
      const from = at;
      at += text.length;
      return { code, text: cut(text, from, ranges) };
    });
    at += 1;
    return { number, stretches: kept };
  });
}

function cut(
  text: string,
  start: number,
  ranges: readonly (readonly [from: number, to: number])[],
): string {
  let kept = "";
  let done = 0;
  for (const [from, to] of ranges) {
    if (to <= start || from >= start + text.length) continue;
    kept += text.slice(done, Math.max(done, from - start));
    done = Math.max(done, Math.min(text.length, to - start));
  }
  return kept + text.slice(done);
}

/** Joins the lines to the text whose characters `without` counts; a `$` in code marks no formula. */
export function joined(lines: readonly Line[]): string {
  return lines
    .map(({ stretches }) =>
      stretches.map(({ code, text }) => (code ? text.replaceAll("$", "_") : text)).join(""),
    )
    .join("\n");
}
