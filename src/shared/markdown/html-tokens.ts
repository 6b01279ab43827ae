export interface HtmlTag {
  /** It is in small letters. */
  readonly name: string;
  readonly closes: boolean;
  /** It has the form `<name/>`. */
  readonly isEmpty: boolean;
  /** These are values by name, both as written but for the name's case; an attribute without a value has an empty one. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** A token is a piece of HTML; `source` is all of it that was read in one go. */
export type HtmlToken =
  | { readonly kind: "text"; readonly source: string }
  | { readonly kind: "tag"; readonly source: string; readonly tag: HtmlTag }
  /** It is a part of a tag whose end is not there yet. */
  | { readonly kind: "part"; readonly source: string }
  | { readonly kind: "comment" | "instruction"; readonly source: string };

type Mode = "text" | "tag" | "-->" | "]]>" | "?>" | ">";

const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

/** Cuts HTML as a browser does; what one piece leaves open goes on in the next. */
export class HtmlTokens {
  /** It names the element whose content is no HTML, while it is open. */
  raw: string | undefined;
  #mode: Mode = "text";
  #held = "";
  #quote = "";
  #afterEquals = false;

  /** Tells whether the reading is in a comment or in a tag. */
  get isInside(): boolean {
    return this.#mode !== "text";
  }

  /** A tag from elsewhere follows: its end ends everything but a comment and a quoted attribute. It returns whether something ended. */
  endTag(): boolean {
    if (this.#mode === "text" || this.#mode === "-->" || this.#quote !== "") return false;
    this.#mode = "text";
    this.#held = "";
    return true;
  }

  *read(html: string): Generator<HtmlToken> {
    let at = 0;
    while (at < html.length) {
      const token = this.#next(html, at);
      at += token.source.length;
      if (token.source !== "") yield token;
    }
  }

  #next(html: string, at: number): HtmlToken {
    if (this.#mode === "tag") return this.#tag(html, at);
    if (this.#mode !== "text") return this.#upTo(this.#mode, html, at);
    const start = this.#start(html, at);
    if (start > at) return { kind: "text", source: html.slice(at, start) };
    const opening = html.slice(at, at + 9);
    if (opening.startsWith("<!--")) return this.#upTo("-->", html, at, 2);
    if (opening === "<![CDATA[") return this.#upTo("]]>", html, at);
    if (opening.startsWith("<?")) return this.#upTo("?>", html, at);
    if (/^<(?:!|\/[^A-Za-z])/.test(opening)) return this.#upTo(">", html, at);
    return this.#tag(html, at);
  }

  /** Finds where the next thing begins that is no text. */
  #start(html: string, at: number): number {
    const mark =
      this.raw === undefined ? /<(?:[A-Za-z!?]|\/\S)/g : new RegExp(`</${this.raw}(?![a-z])`, "gi");
    mark.lastIndex = at;
    return mark.exec(html)?.index ?? html.length;
  }

  #upTo(
    end: Exclude<Mode, "text" | "tag">,
    html: string,
    ...[at, skip = 0]: [number, number?]
  ): HtmlToken {
    const found = html.indexOf(end, at + skip);
    this.#mode = found < 0 ? end : "text";
    const source = html.slice(at, found < 0 ? undefined : found + end.length);
    return { kind: end === "-->" ? "comment" : "instruction", source };
  }

  #tag(html: string, at: number): HtmlToken {
    const end = this.#endOfTag(html, at);
    const source = html.slice(at, end);
    this.#held += source;
    if (this.#mode === "tag") return { kind: "part", source };
    const tag = tagOf(this.#held);
    this.#held = "";
    return { kind: "tag", source, tag };
  }

  /** Only a quotation mark behind `=` quotes; a `>` in quotes ends nothing. */
  #endOfTag(html: string, from: number): number {
    this.#mode = "tag";
    for (let at = from; at < html.length; at += 1) {
      const character = html.charAt(at);
      if (this.#quote !== "") {
        if (character === this.#quote) this.#quote = "";
      } else if (character === ">") {
        this.#mode = "text";
        this.#afterEquals = false;
        return at + 1;
      } else if (this.#afterEquals && (character === '"' || character === "'")) {
        this.#quote = character;
      }
      if (character.trim() !== "") this.#afterEquals = this.#quote === "" && character === "=";
    }
    return html.length;
  }
}

function tagOf(source: string): HtmlTag {
  const [start = "", slash, name = ""] = /^<(\/?)([A-Za-z][^\s/>]*)/.exec(source) ?? [];
  const attributes = new Map<string, string>();
  for (const [, key = "", ...values] of source.slice(start.length, -1).matchAll(ATTRIBUTE)) {
    // The first of several values of a name counts; one of the three ways to write a value was used.
    if (!attributes.has(key.toLowerCase())) attributes.set(key.toLowerCase(), values.join(""));
  }
  const isEmpty = source.endsWith("/>");
  return { name: name.toLowerCase(), closes: slash === "/", isEmpty, attributes };
}
