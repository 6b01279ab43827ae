/** Holds markup that may be sent as it is. Only `html` makes it from text, and it escapes every part. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type Part = string | number | Html | readonly Html[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/** Finds control characters, and those that make the rest of a line read in another order than it is stored. */
const DECEPTIVE = /(?![\t\n])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu;

/** Fills a template and escapes its parts, in text and in quoted attributes alike. */
export function html(fixed: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = fixed.map((piece, at) => piece + markupOf(parts[at] ?? ""));
  return new Html(pieces.join(""));
}

function markupOf(part: Part): string {
  if (part instanceof Html) return part.markup;
  if (typeof part === "object") return part.map(({ markup }) => markup).join("");
  return escapeHtml(String(part));
}

function escapeHtml(text: string): string {
  return text
    .replace(DECEPTIVE, (character) => `⟨U+${codeOf(character)}⟩`)
    .replace(/[&<>"'`]/g, (character) => ENTITIES[character] ?? "");
}

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
}
