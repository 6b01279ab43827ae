import type { StateBlock, StateInline } from "markdown-it";

const DEFINITION = /^\[\^([^\]\s]+)\]:/;
const REFERENCE = /\[\^([^\]\s]+)\]/y;
const INDENT = 4;

/** What the rules share: the labels that are defined. */
interface Footnotes {
  readonly footnotes: Set<string>;
}

/** `[^label]: text`, and what is indented below it. Only the first of a label counts; the others show nowhere. */
export function footnoteDefinition(
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

/** Where a line begins, how many characters its margin has, and how wide that is. */
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

/** `[^label]` where the label is defined; elsewhere it is text. */
export function footnoteReference(state: StateInline, silent: boolean): boolean {
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
