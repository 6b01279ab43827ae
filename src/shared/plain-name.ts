import { quote } from "./quote.ts";

/** Nothing that ends a word, a quotation or begins a reference to an issue. */
const PLAIN_NAME = /^[^\s"#\\\p{C}]{1,200}$/u;
const PLAIN_WORDS = /^[^"#\\\p{C}]{0,300}$/u;

/** Somebody's path or name for a sentence of ours: as it is where it is one plain word, in quotation marks elsewhere. */
export function plainName(text: string): string {
  return PLAIN_NAME.test(text) ? text : quote(text);
}

/** Somebody's words for the end of a sentence of ours. */
export function plainWords(text: string): string {
  return PLAIN_WORDS.test(text) ? text : quote(text);
}
