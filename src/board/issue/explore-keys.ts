import type { Stretch } from "../../shared/markdown/lines.ts";
import { textOf } from "../../shared/markdown/lines.ts";
import { fieldOf } from "./markdown-lines.ts";
import type { MarkdownLine } from "./markdown-lines.ts";

/** These may be said in a section `Explore`. */
export const EXPLORE_KEYS = [
  "ideas",
  "ask",
  "depth",
  "beam",
  "score",
  "strict",
  "patience",
] as const;

export type ExploreKey = (typeof EXPLORE_KEYS)[number];

/** This is the beginning of a line whose key is not known. */
const UNKNOWN_KEY = /^[*_]{0,3}([a-z][\w-]{0,29}(?: [\w-]{1,30})?)[*_]{0,3}:[*_]{0,3}(?:\s|$)/i;
const LONGEST_KEY = 80;

/** Reads `key: value`, bold or not, or a key that stands alone. */
export function exploreField({
  stretches,
}: Pick<MarkdownLine, "stretches">):
  { readonly key: ExploreKey; readonly value: readonly Stretch[] } | undefined {
  for (const key of EXPLORE_KEYS) {
    const field = fieldOf({ stretches }, key);
    if (field === undefined) continue;
    const isAlone = textOf(field).trim() === "";
    if (field.separated || isAlone) return { key, value: field.stretches };
  }
  return undefined;
}

/** Returns the word before a line's colon. */
export function unknownKey(text: string): string | undefined {
  return UNKNOWN_KEY.exec(text.slice(0, LONGEST_KEY))?.[1];
}

/** Tells whether a line begins as if it were meant to say one of the keys. */
export function beginsWithKey(text: string): boolean {
  const words = text.slice(0, LONGEST_KEY).replace(/^[*_]{1,3}/, "");
  const [first = ""] = words.toLowerCase().split(/[^a-z]/, 1);
  return EXPLORE_KEYS.some((key) => key === first);
}
