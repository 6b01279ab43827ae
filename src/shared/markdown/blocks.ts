import type { Line } from "./lines.ts";

/** Where a block of a text is. */
export interface Place {
  /** Its first and last line, counted from 1 in the text as written. */
  readonly from: number;
  readonly to: number;
  /** What stands before its first line and before each other: bullets, indents, marks of quotes. */
  readonly first: string;
  readonly rest: string;
  /** It begins an item of a list. */
  readonly bulleted: boolean;
  readonly quoted: boolean;
  /** It is at the foot of the page. */
  readonly footnote: boolean;
}

/** A piece of a text as its page shows it. */
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
