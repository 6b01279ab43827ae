import type { Token } from "markdown-it";
import type { LeftOut } from "./hidden-text.ts";
import type { HtmlPiece, HtmlReader } from "./html-reader.ts";
import type { Lines } from "./lines.ts";

export interface InlineContext {
  readonly html: HtmlReader;
  readonly leftOut: Set<LeftOut>;
  /** It counts the lists and quotes around the text. */
  readonly depth: number;
  /** Returns the number that a footnote shows as. */
  readonly footnoteNumber: (label: string) => number;
  /** The text leads to these addresses. */
  readonly addresses: Set<string>;
}
/** Nobody reads a longer address. */
const MAX_ADDRESS_LENGTH = 2000;

/** Adds what is seen of a paragraph's tokens. */
export function readInline(tokens: readonly Token[], lines: Lines, context: InlineContext): void {
  let link = "";
  tokens.forEach((token, at) => {
    if (token.type === "link_open") {
      link = linkTarget(tokens, at, context);
      if (link !== "") lines.add("[");
    } else if (token.type === "link_close") {
      if (link !== "") lines.add(`](${link})`);
    } else if (token.type === "html_inline") {
      addHtml(context.html.read(token.content, context.depth), lines, context);
    } else if (context.html.silent) {
      swallow(token, lines, context);
    } else addToken(token, lines, context);
  });
}

/** Adds what is seen of a piece of HTML. */
export function addHtml(
  pieces: readonly HtmlPiece[],
  lines: Lines,
  { leftOut }: Pick<InlineContext, "leftOut">,
): void {
  for (const piece of pieces) {
    switch (piece.kind) {
      case "text":
        lines.add(piece.text);
        break;
      case "break":
        lines.break();
        break;
      case "unseen":
        lines.skip(piece.lines);
        break;
      case "link":
        lines.startLink();
        break;
      case "image":
      case "address": {
        const isEmpty = piece.kind === "address" && lines.linkIsEmpty;
        const shown = isEmpty ? undefined : shownAddress(piece.address);
        if (shown !== undefined)
          lines.add(piece.kind === "image" ? `![](${shown})` : ` (${shown})`);
        else if (isEmpty) leftOut.add("addresses of links without words");
        else leftOut.add("addresses that GitHub takes out");
      }
    }
  }
}

function addToken(token: Token, lines: Lines, context: InlineContext): void {
  switch (token.type) {
    case "softbreak":
    case "hardbreak":
      lines.nextLine();
      return;
    case "code_inline":
      lines.addCode(token.content);
      return;
    case "image":
      addImage(token, lines, context);
      return;
    case "footnote_reference":
      lines.add(`[^${context.footnoteNumber((token.meta as { label: string }).label)}]`);
      return;
    default:
      // These are words, or the marks around emphasized ones, which may as well be part of a path.
      lines.add(token.type === "text" ? token.content : token.markup);
  }
}

function swallow(token: Token, lines: Lines, { leftOut }: InlineContext): void {
  if (token.type.endsWith("break")) lines.skip(1);
  if (token.content.trim() !== "") leftOut.add("HTML elements that are not shown");
}

function addImage(token: Token, lines: Lines, { leftOut, addresses }: InlineContext): void {
  const address = token.attrGet("src") ?? "";
  addresses.add(address);
  if (token.content.trim() !== "") leftOut.add("alternative texts of images");
  if (token.attrGet("title")) leftOut.add("titles of links and images");
  const shown = shownAddress(address);
  if (shown === undefined) leftOut.add("addresses that GitHub takes out");
  else lines.add(`![](${shown})`);
}

/** Returns an empty text for a link that is told by its words alone. */
function linkTarget(tokens: readonly Token[], at: number, context: InlineContext): string {
  const { html, leftOut, addresses } = context;
  const open = tokens[at];
  if (open === undefined || html.silent) return "";
  const address = open.attrGet("href") ?? "";
  addresses.add(address);
  if (open.attrGet("title")) leftOut.add("titles of links and images");
  if (open.info === "auto") return "";
  if (!hasWords(tokens, at + 1)) {
    leftOut.add("addresses of links without words");
    return "";
  }
  const shown = shownAddress(address);
  if (shown === undefined && address !== "") leftOut.add("addresses that GitHub takes out");
  return shown ?? "";
}

function hasWords(tokens: readonly Token[], from: number): boolean {
  for (let at = from; ; at += 1) {
    const token = tokens[at];
    if (token === undefined || token.type === "link_close") return false;
    if (isSeen(token)) return true;
  }
}

function isSeen({ type, content }: Token): boolean {
  if (type === "image") return true;
  return (type === "text" || type === "code_inline") && /[^\s\p{C}]/u.test(content);
}

/** Returns the address as it is told to others, and undefined for one that GitHub takes out, as `data:…`. */
function shownAddress(address: string): string | undefined {
  const written = address.trim();
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(written) ?? [];
  const isKept = scheme === undefined || /^(?:https?|mailto)$/i.test(scheme);
  return isKept && written !== "" && written.length <= MAX_ADDRESS_LENGTH ? written : undefined;
}
