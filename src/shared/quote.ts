import { UNSEEN } from "./clean-text.ts";

const MAX_QUOTED_LENGTH = 120;
/** JSON leaves these as they are. */
const CONTROLS = /[\u007f-\u009f\u2028\u2029]/g;

/** It has nothing that ends a word or a quotation, or begins a reference to an issue. */
const PLAIN_NAME = /^[^\s"#\\\p{C}]{1,200}$/u;
const PLAIN_WORDS = /^[^"#\\\p{C}]{0,300}$/u;

/** Puts the text in quotation marks for a sentence: characters that cannot be seen are spelled out, a long text is cut. */
export function quote(text: string): string {
  const cut = text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text;
  return JSON.stringify(cut).replace(UNSEEN, spelledOut).replace(CONTROLS, spelledOut);
}

/** Returns somebody's path or name for a sentence of ours: one plain word as it is, anything else in quotation marks. */
export function plainName(text: string): string {
  return PLAIN_NAME.test(text) ? text : quote(text);
}

/** Returns somebody's words for the end of a sentence of ours. */
export function plainWords(text: string): string {
  return PLAIN_WORDS.test(text) ? text : quote(text);
}

function spelledOut(characters: string): string {
  const spelled = Array.from(characters, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`);
  return spelled.join("");
}
