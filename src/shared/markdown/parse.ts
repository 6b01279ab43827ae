import MarkdownIt from "markdown-it";
import type { StateBlock, StateInline, Token } from "markdown-it";

/** The parser found these beside the text's own tokens. */
export interface Definitions {
  /** These are the definitions of links, by label. */
  readonly references: Readonly<Record<string, { readonly title: string; readonly href: string }>>;
  /** These are the labels of footnotes. */
  readonly footnotes: ReadonlySet<string>;
}

const parser = new MarkdownIt({ html: true });
// `shownAddress` decides later which addresses GitHub keeps: a link that the parser refuses would show its address as text.
parser.validateLink = () => true;
// This rule would change characters that a declaration has to be refused for.
parser.core.ruler.disable("normalize");
parser.block.ruler.before("reference", "footnote", footnoteDefinition, { alt: ["paragraph"] });
parser.inline.ruler.before("link", "footnote", footnoteReference);
parser.inline.ruler.before("html_inline", "unseen_html", unseenHtml);

const DEFINITION = /^\[\^([^\]\s]+)\]:/;
const REFERENCE = /\[\^([^\]\s]+)\]/y;
const INDENT = 4;

/** The rules share the labels that are defined. */
interface Footnotes {
  readonly footnotes: Set<string>;
}

/** No page shows such a thing. This says how it begins, with what mark it ends, and how many characters come before that mark at least. */
interface Kind {
  readonly start: RegExp;
  readonly mark: string;
  readonly skip: number;
}

const KINDS: readonly Kind[] = [
  { start: /^<!--/, mark: "-->", skip: 2 },
  { start: /^<!\[CDATA\[/, mark: "]]>", skip: 9 },
  { start: /^<\?/, mark: "?>", skip: 2 },
  { start: /^<![A-Za-z]/, mark: ">", skip: 2 },
];

/** These marks are nowhere in the rest of a paragraph. */
const UNCLOSED = new WeakMap<StateInline, Set<string>>();

/** Reads GitHub's Markdown as tokens, with tables, strikethrough and footnotes, whatever the text is. */
export function parseMarkdown(source: string): {
  readonly tokens: readonly Token[];
  readonly definitions: Definitions;
} {
  const definitions = { references: {}, footnotes: new Set<string>() };
  const tokens = parser.parse(source.replace(/\r\n?/g, "\n"), definitions);
  return { tokens, definitions };
}

/** Turns `&amp;` into the character that it stands for. */
export function decodeEntities(text: string): string {
  return text.includes("&") ? parser.utils.unescapeAll(text.replaceAll("\\", "\\\\")) : text;
}

/** Reads `[^label]: text` and the lines indented below it. Only the first of a label counts; the others show nowhere. */
function footnoteDefinition(
  state: StateBlock,
  ...[startLine, endLine, silent]: [number, number, boolean]
): boolean {
  const { mark, shift, indent } = marginOf(state, startLine);
  if (indent - state.blkIndent >= INDENT) return false;
  const start = mark + shift;
  const found = DEFINITION.exec(state.src.slice(start, state.eMarks[startLine]));
  if (found === null) return false;
  if (silent) return true;
  const label = normalLabel(found[1] ?? "");
  const { footnotes } = state.env as Footnotes;
  const open = state.push("footnote_open", "", 1);
  open.meta = { label: footnotes.has(label) ? undefined : label };
  open.map = [startLine, startLine];
  footnotes.add(label);
  readContent(state, { startLine, endLine, from: start + found[0].length });
  open.map[1] = state.line;
  state.push("footnote_close", "", -1);
  return true;
}

/** Says where a line begins, how many characters its margin has, and how wide that is. */
function marginOf({ bMarks, tShift, sCount }: StateBlock, line: number) {
  return { mark: bMarks[line] ?? 0, shift: tShift[line] ?? 0, indent: sCount[line] ?? 0 };
}

interface Content {
  readonly startLine: number;
  readonly endLine: number;
  readonly from: number;
}

/** The first line begins behind the label, those after it behind their indent. */
function readContent(state: StateBlock, { startLine, endLine, from }: Content): void {
  const { bMarks, tShift, sCount } = state;
  const { mark, shift, indent } = marginOf(state, startLine);
  const text = state.src.slice(from, state.eMarks[startLine]);
  bMarks[startLine] = from;
  tShift[startLine] = text.length - text.trimStart().length;
  state.blkIndent += INDENT;
  sCount[startLine] = state.blkIndent;
  state.md.block.tokenize(state, startLine, endLine);
  state.blkIndent -= INDENT;
  [bMarks[startLine], tShift[startLine], sCount[startLine]] = [mark, shift, indent];
}

/** Reads `[^label]` where the label is defined; elsewhere it is text. */
function footnoteReference(state: StateInline, silent: boolean): boolean {
  REFERENCE.lastIndex = state.pos;
  const found = REFERENCE.exec(state.src);
  if (found === null || REFERENCE.lastIndex > state.posMax) return false;
  const label = normalLabel(found[1] ?? "");
  if (!(state.env as Footnotes).footnotes.has(label)) return false;
  if (!silent) state.push("footnote_reference", "", 0).meta = { label };
  state.pos += found[0].length;
  return true;
}

function normalLabel(label: string): string {
  return label.toLowerCase().toUpperCase();
}

/**
 * Reads comments, instructions, CDATA and declarations within a paragraph. The parser's own rule stops looking for all of them after
 * one that is not closed; GitHub only for those of its kind.
 */
function unseenHtml(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src[pos] !== "<") return false;
  const kind = KINDS.find(({ start }) => start.test(src.slice(pos, pos + 9)));
  const end = kind === undefined ? -1 : endOf(kind, state);
  if (end < 0 || end > state.posMax) return false;
  if (!silent) state.push("html_inline", "", 0).content = src.slice(pos, end);
  state.pos = end;
  return true;
}

function endOf({ mark, skip }: Kind, state: StateInline): number {
  const unclosed = UNCLOSED.get(state) ?? new Set();
  UNCLOSED.set(state, unclosed);
  if (unclosed.has(mark)) return -1;
  const end = state.src.indexOf(mark, state.pos + skip);
  if (end < 0) unclosed.add(mark);
  return end < 0 ? end : end + mark.length;
}
