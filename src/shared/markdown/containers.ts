import type { Token } from "markdown-it";
import type { Place } from "./blocks.ts";

interface Container {
  readonly kind: "quote" | "item" | "footnote";
  readonly first: string;
  readonly rest: string;
  /** Something in it was shown. */
  begun: boolean;
}

/** The lists, quotes and footnotes around the place where a reading is. */
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

  /** The place of a block that is shown here. */
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
