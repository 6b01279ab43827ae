import type { Token } from "markdown-it";
import type { Line } from "./lines.ts";

/** Says where a block of a text is. */
export interface Place {
  /** These are its first and last line, counted from 1 in the text as written. */
  readonly from: number;
  readonly to: number;
  /** These stand before its first line and before each other line: bullets, indents, marks of quotes. */
  readonly first: string;
  readonly rest: string;
  /** It begins an item of a list. */
  readonly bulleted: boolean;
  readonly quoted: boolean;
  /** It is at the foot of the page. */
  readonly footnote: boolean;
}

/** A block is a piece of a text as its page shows it. */
export type Block = { readonly place: Place } & (
  | { readonly kind: "text"; readonly lines: readonly Line[] }
  | {
      readonly kind: "heading";
      readonly level: number;
      /** Its mark is a line below it. */
      readonly underlined: boolean;
      readonly lines: readonly Line[];
    }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "rule" }
);

interface Container {
  readonly kind: "quote" | "item" | "footnote";
  readonly first: string;
  readonly rest: string;
  /** Something in it was shown. */
  begun: boolean;
}

/** Keeps the lists, quotes and footnotes around the place where a reading is. */
export class Containers {
  readonly #open: Container[] = [];

  get depth(): number {
    return this.#open.length;
  }

  enterQuote(): void {
    this.#open.push({ kind: "quote", first: "> ", rest: "> ", begun: false });
  }

  enterItem({ info, markup }: Token): void {
    const first = `${info}${markup} `;
    this.#open.push({ kind: "item", first, rest: " ".repeat(first.length), begun: false });
  }

  enterFootnote(number: number): void {
    this.#open.push({ kind: "footnote", first: `[^${number}]: `, rest: "    ", begun: false });
  }

  leave(): void {
    this.#open.pop();
  }

  /** Returns the place of a block that is shown here. */
  begin(from: number, to: number): Place {
    let [first, rest] = ["", ""];
    let [bulleted, quoted, footnote] = [false, false, false];
    for (const container of this.#open) {
      first += container.begun ? container.rest : container.first;
      rest += container.rest;
      bulleted ||= container.kind === "item" && !container.begun;
      quoted ||= container.kind === "quote";
      footnote ||= container.kind === "footnote";
      container.begun = true;
    }
    return { from, to, first, rest, bulleted, quoted, footnote };
  }
}
