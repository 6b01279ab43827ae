import { UNSEEN } from "./unseen.ts";

const MAX_QUOTED = 120;
/** JSON leaves these as they are. */
const CONTROLS = /[\u007f-\u009f\u2028\u2029]/g;

/** The text in quotation marks for a sentence: what cannot be seen is spelled out, what is long is cut. */
export function quote(text: string): string {
  const cut = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
  return JSON.stringify(cut).replace(UNSEEN, spelledOut).replace(CONTROLS, spelledOut);
}

function spelledOut(characters: string): string {
  const spelled = Array.from(characters, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`);
  return spelled.join("");
}
