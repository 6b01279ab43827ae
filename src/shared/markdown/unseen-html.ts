import type { StateInline } from "markdown-it";

/** How something that no page shows begins, with what it ends, and where that can be at the earliest. */
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

/** Marks that are nowhere in the rest of a paragraph. */
const UNCLOSED = new WeakMap<StateInline, Set<string>>();

/**
 * Comments, instructions, CDATA and declarations within a paragraph. The parser's own rule stops looking for all of them after
 * one that is not closed; GitHub only for those of its kind.
 */
export function unseenHtml(state: StateInline, silent: boolean): boolean {
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
