import type { Token } from "markdown-it";
import { cleanText } from "../clean-text.ts";
import { Containers } from "./blocks.ts";
import type { Block, Place } from "./blocks.ts";
import { readFence, hidingFormulas } from "./hidden-text.ts";
import type { LeftOut } from "./hidden-text.ts";
import { HtmlReader } from "./html-reader.ts";
import { joined, Lines, without } from "./lines.ts";
import type { Line } from "./lines.ts";
import { parseMarkdown } from "./parse.ts";
import type { Definitions } from "./parse.ts";
import { addHtml, readInline } from "./read-inline.ts";

/** A reading says what a page shows of a Markdown text. */
export interface Reading {
  readonly blocks: readonly Block[];
  /** The page does not show these things. */
  readonly leftOut: readonly LeftOut[];
}

/** These characters join the parts of emoji or begin files: nobody misses them. */
const HARMLESS = /\u200D|\uFEFF|\uFE0F|\r/g;

/** A text is read for its declarations, its prompt and its comment, one soon after the other: this many readings are kept. */
const MAX_READINGS = 8;
const readings = new Map<string, Reading>();

/** Reads a text of GitHub as people see it. Never throws, whatever the text is. */
export function readMarkdown(source: string): Reading {
  const known = readings.get(source);
  if (known !== undefined) return known;
  const reading = read(source);
  readings.set(source, reading);
  const [oldest] = readings.keys();
  if (readings.size > MAX_READINGS && oldest !== undefined) readings.delete(oldest);
  return reading;
}

function read(source: string): Reading {
  const { tokens, definitions } = parseMarkdown(source);
  const { body, footnotes } = partFootnotes(tokens);
  const reader = new Reader();
  reader.read(body);
  for (const label of reader.footnoteLabels) reader.readFootnote(footnotes.get(label) ?? []);
  reader.noteUnused(definitions);
  const plain = source.replace(HARMLESS, "");
  if (cleanText(plain) !== plain) reader.leftOut.add("characters that cannot be seen");
  return { blocks: reader.blocks, leftOut: [...reader.leftOut] };
}

/** Footnotes are at the foot of the page, wherever they are written; each label's first counts. */
function partFootnotes(tokens: readonly Token[]): {
  readonly body: readonly Token[];
  readonly footnotes: ReadonlyMap<string, readonly Token[]>;
} {
  const body: Token[] = [];
  const footnotes = new Map<string, Token[]>();
  const targets = [body];
  for (const token of tokens) {
    if (token.type === "footnote_close") targets.pop();
    else if (token.type === "footnote_open") {
      const { label } = token.meta as { readonly label: string | undefined };
      const content: Token[] = [];
      if (label !== undefined) footnotes.set(label, content);
      targets.push(content);
    } else targets.at(-1)?.push(token);
  }
  return { body, footnotes };
}

/** Goes through tokens in order and keeps what is seen. */
class Reader {
  readonly blocks: Block[] = [];
  readonly leftOut = new Set<LeftOut>();
  readonly #html = new HtmlReader(this.leftOut);
  readonly #containers = new Containers();
  readonly #numbers = new Map<string, number>();
  readonly #addresses = new Set<string>();
  #heading: Token | undefined;
  #row: Lines | undefined;
  #columns = 0;
  #read = 0;

  /** Lists the labels of footnotes that are referred to, in the order of their numbers; it grows while they are read. */
  get footnoteLabels(): Iterable<string> {
    return this.#numbers.keys();
  }

  read(tokens: readonly Token[]): void {
    for (const token of tokens) this.#readToken(token);
  }

  readFootnote(tokens: readonly Token[]): void {
    this.#read += 1;
    this.#containers.enterFootnote(this.#read);
    this.read(tokens);
    this.#leave();
  }

  noteUnused({ references, footnotes }: Definitions): void {
    if (footnotes.size > this.#read) this.leftOut.add("footnotes that nothing refers to");
    const isLost = Object.values(references).some(
      ({ title, href }) => title !== "" || !this.#addresses.has(href),
    );
    if (isLost) this.leftOut.add("definitions of links");
  }

  #readToken(token: Token): void {
    if (token.type !== "html_block" && token.nesting >= 0) this.#html.nextBlock();
    switch (token.type) {
      case "blockquote_open":
        this.#containers.enterQuote();
        break;
      case "list_item_open":
        this.#containers.enterItem(token);
        break;
      case "blockquote_close":
      case "list_item_close":
        this.#leave();
        break;
      case "heading_open":
        this.#heading = token;
        break;
      case "heading_close":
        this.#heading = undefined;
        break;
      case "html_block":
        this.#readHtml(token);
        break;
      case "fence":
      case "code_block":
        this.#readCode(token);
        break;
      case "hr":
        if (!this.#html.silent) this.blocks.push({ kind: "rule", place: this.#place(token) });
        break;
      case "inline":
        this.#readWords(token);
        break;
      default:
        this.#readTable(token);
    }
  }

  #readTable(token: Token): void {
    switch (token.type) {
      case "tr_open":
        this.#row = new Lines(lineOf(token));
        this.#row.add("|");
        break;
      case "th_open":
      case "td_open":
        this.#row?.add(" ");
        break;
      case "th_close":
        this.#columns += 1;
        this.#row?.add(" |");
        break;
      case "td_close":
        this.#row?.add(" |");
        break;
      case "tr_close":
        this.#endRow();
        break;
      default:
    }
  }

  /** Below the head stands the line that makes it a table. */
  #endRow(): void {
    const { all = [] } = this.#row ?? {};
    this.#row = undefined;
    const from = all[0]?.number ?? 0;
    if (!this.#html.silent) this.#show(all, [from, from]);
    if (this.#columns === 0) return;
    const delimiters = new Lines(from + 1);
    delimiters.add(`|${" --- |".repeat(this.#columns)}`);
    this.#columns = 0;
    if (!this.#html.silent) this.#show(delimiters.all, [from + 1, from + 1]);
  }

  #readWords(token: Token): void {
    const lines = this.#row ?? new Lines(lineOf(token));
    readInline(token.children ?? [], lines, {
      html: this.#html,
      leftOut: this.leftOut,
      depth: this.#containers.depth,
      addresses: this.#addresses,
      footnoteNumber: (label) => this.#numberOf(label),
    });
    if (this.#row !== undefined) return;
    const heading = this.#heading;
    if (heading === undefined) this.#show(lines.all, linesOf(token));
    else {
      const level = Number(heading.tag.slice(1));
      const underlined = !heading.markup.startsWith("#");
      this.#show(lines.all, linesOf(heading), { level, underlined });
    }
  }

  #readHtml(token: Token): void {
    const lines = new Lines(lineOf(token));
    addHtml(this.#html.read(token.content, this.#containers.depth), lines, this);
    this.#show(lines.all, linesOf(token));
  }

  #readCode(token: Token): void {
    const { language, text, leftOut } = readFence(token.info, token.content);
    const isSilent = this.#html.silent;
    if (isSilent) this.leftOut.add("HTML elements that are not shown");
    else if (leftOut !== undefined) this.leftOut.add(leftOut);
    if (isSilent || text === undefined) return;
    this.blocks.push({ kind: "code", language, text, place: this.#place(token) });
  }

  #show(
    lines: readonly Line[],
    [from, to]: readonly [number, number],
    heading?: { readonly level: number; readonly underlined: boolean },
  ): void {
    const hiding = hidingFormulas(joined(lines));
    if (hiding.length > 0) this.leftOut.add("maths that can hide text");
    const shown = without(lines, hiding).filter(hasText);
    if (shown.length === 0) return;
    const place = this.#containers.begin(from, to);
    this.blocks.push(
      heading === undefined
        ? { kind: "text", place, lines: shown }
        : { kind: "heading", place, lines: shown, ...heading },
    );
  }

  #place(token: Token): Place {
    return this.#containers.begin(...linesOf(token));
  }

  #leave(): void {
    this.#containers.leave();
    this.#html.leave(this.#containers.depth);
  }

  #numberOf(label: string): number {
    const number = this.#numbers.get(label) ?? this.#numbers.size + 1;
    this.#numbers.set(label, number);
    return number;
  }
}

function hasText({ stretches }: Line): boolean {
  return stretches.some(({ text }) => text.trim() !== "");
}

function lineOf(token: Token): number {
  return linesOf(token)[0];
}

/** Returns the first and the last line, counted from 1. */
function linesOf({ map }: Token): [number, number] {
  const [from, to] = map ?? [0, 1];
  return [from + 1, to];
}
