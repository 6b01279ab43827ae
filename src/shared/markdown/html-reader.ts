import type { LeftOut } from "./hidden-text.ts";
import { HtmlTokens } from "./html-tokens.ts";
import type { HtmlTag, HtmlToken } from "./html-tokens.ts";
import { decodeEntities } from "./parse.ts";

/** Says what is seen of a piece of HTML, and how many line breaks the unseen rest has. */
export type HtmlPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "break" }
  | { readonly kind: "image"; readonly address: string }
  /** A link's words begin. */
  | { readonly kind: "link" }
  /** It is the address of the link whose words just ended. */
  | { readonly kind: "address"; readonly address: string }
  | { readonly kind: "unseen"; readonly lines: number };

interface Silence {
  readonly name: string;
  /** It began so deep in lists and quotes: unless its content is raw, it ends with the list or quote that it is in. */
  readonly within: number;
  /** So many elements of its name are open. */
  depth: number;
}

/** Their content is no HTML: only their own end ends them. */
const RAW = words("script style title textarea iframe noembed noframes noscript xmp plaintext");
/** Their content is a stand-in, a drawing or a part of something that is not shown. */
const UNSHOWN = words("template svg math object head select datalist audio video canvas dialog rp");
/** Only these of them can be empty. */
const FOREIGN = words("svg math");
/** GitHub lets these tags through; it drops any other tag and keeps its words. */
const KNOWN = words(
  "a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p picture pre q rt ruby s samp small source span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr",
);
const VOID = words("area base br col embed hr img input link meta source track wbr");
const BREAKING = words(
  "br p div li tr h1 h2 h3 h4 h5 h6 details summary blockquote ul ol table pre hr dt dd",
);
/** The reader is told the values of these attributes, or they say nothing. */
const HARMLESS = words("href src width height align valign open border hidden");
/** The app's own marker in issues that it opened hides nothing from anybody. */
const OWN_MARKER = /^<!-- wavetrain:id=[A-Za-z0-9._-]{1,64} -->$/;

/** Reads the HTML of a Markdown text in order: what one piece opens holds for the Markdown behind it. */
export class HtmlReader {
  readonly leftOut: Set<LeftOut>;
  readonly #tokens = new HtmlTokens();
  #silence: Silence | undefined;
  #link: string | undefined;

  constructor(leftOut: Set<LeftOut>) {
    this.leftOut = leftOut;
  }

  /** Tells whether nothing of the Markdown at this place is seen. */
  get silent(): boolean {
    return this.#silence !== undefined || this.#tokens.isInside;
  }

  /** Every block that Markdown makes begins with a tag. */
  nextBlock(): void {
    if (this.#tokens.endTag()) this.leftOut.add("HTML tags that do not end");
  }

  /** A list's item or a quote ended; `within` counts those that are still open. */
  leave(within: number): void {
    if (this.#tokens.raw === undefined && (this.#silence?.within ?? 0) > within) {
      this.#silence = undefined;
    }
  }

  read(html: string, within: number): readonly HtmlPiece[] {
    const pieces: HtmlPiece[] = [];
    for (const token of this.#tokens.read(html)) pieces.push(...this.#piecesOf(token, within));
    return pieces;
  }

  #piecesOf(token: HtmlToken, within: number): readonly HtmlPiece[] {
    const unseen = { kind: "unseen", lines: token.source.split("\n").length - 1 } as const;
    switch (token.kind) {
      case "text":
        if (this.#silence === undefined)
          return [{ kind: "text", text: decodeEntities(token.source) }];
        if (token.source.trim() !== "") this.leftOut.add("HTML elements that are not shown");
        return [unseen];
      case "comment":
        if (!OWN_MARKER.test(token.source)) this.leftOut.add("comments");
        return [unseen];
      case "instruction":
        this.leftOut.add("declarations and instructions of HTML");
        return [unseen];
      case "part":
        return [unseen];
      case "tag":
        return [
          unseen,
          ...(token.tag.closes ? this.#close(token.tag) : this.#open(token.tag, within)),
        ];
    }
  }

  #open(tag: HtmlTag, within: number): readonly HtmlPiece[] {
    const { name, attributes } = tag;
    const silence = this.#silence;
    if (silence !== undefined) {
      if (silence.name === name) silence.depth += 1;
      return [];
    }
    const values = [...attributes].filter(([key, value]) => value !== "" && !HARMLESS.has(key));
    if (values.length > 0) this.leftOut.add("attributes of HTML tags");
    if (RAW.has(name)) this.#tokens.raw = name;
    if (isUnshown(tag)) {
      this.#silence = { name, within, depth: 1 };
      return [];
    }
    return this.#show(tag);
  }

  #show({ name, attributes }: HtmlTag): readonly HtmlPiece[] {
    if (!KNOWN.has(name)) this.leftOut.add("HTML tags that GitHub does not know");
    if (BREAKING.has(name)) return [{ kind: "break" }];
    if (name === "td" || name === "th") return [{ kind: "text", text: " " }];
    if (name === "a") {
      this.#link = attributes.get("href");
      return [{ kind: "link" }];
    }
    const source = name === "img" && !attributes.has("hidden") ? attributes.get("src") : undefined;
    return source === undefined ? [] : [{ kind: "image", address: decodeEntities(source) }];
  }

  #close({ name }: HtmlTag): readonly HtmlPiece[] {
    const silence = this.#silence;
    if (silence !== undefined) {
      if (silence.name === name) silence.depth -= 1;
      if (silence.depth > 0) return [];
      this.#silence = undefined;
      this.#tokens.raw = undefined;
      return [];
    }
    const link = this.#link;
    if (name === "a" && link !== undefined) {
      this.#link = undefined;
      return [{ kind: "address", address: decodeEntities(link) }];
    }
    return BREAKING.has(name) ? [{ kind: "break" }] : [];
  }
}

function isUnshown({ name, attributes, isEmpty }: HtmlTag): boolean {
  if (FOREIGN.has(name) && isEmpty) return false;
  return RAW.has(name) || UNSHOWN.has(name) || (attributes.has("hidden") && !VOID.has(name));
}

function words(line: string): ReadonlySet<string> {
  return new Set(line.split(" "));
}
