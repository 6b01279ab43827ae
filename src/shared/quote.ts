const MAX_QUOTED = 120;
/** Characters that show as nothing or turn the writing round; JSON leaves them as they are. */
const UNSEEN = /[\p{Cf}\u007f-\u009f\u2028\u2029]/gu;

/** The text in quotation marks for a sentence: what cannot be seen is spelled out, what is long is cut. */
export function quote(text: string): string {
  const cut = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
  return JSON.stringify(cut).replace(UNSEEN, spelledOut);
}

function spelledOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
