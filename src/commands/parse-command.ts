import type { CommandName } from "../domain/given-command.ts";
import { textOf } from "../shared/markdown/lines.ts";
import { readMarkdown } from "../shared/markdown/read-markdown.ts";

export type Command =
  | { readonly kind: Exclude<CommandName, "priority" | "pause"> }
  /** The reason that the person gives, in their own words; may be empty. */
  | { readonly kind: "pause"; readonly reason: string }
  | { readonly kind: "priority"; readonly level: PriorityLevel }
  /** One of ours, said in a way that we do not understand. */
  | { readonly kind: "misspoken"; readonly problem: string };

export type PriorityLevel = "high" | "normal" | "low";

const PLAIN = ["explain", "plan", "retry", "cancel", "resume", "help"] as const;
const LEVELS: readonly PriorityLevel[] = ["high", "normal", "low"];
/** Longer words are no command of anybody's. */
const COMMAND_LINE = /^\/([a-z][a-z-]{0,30})(?:[ \t]+(.*))?$/i;
/** GitHub takes no longer comment. */
const MOST = 65_536;
const LONGEST_REASON = 200;

/**
 * The command that a comment gives: the first line that its page shows, where that is plain words, and nothing else of it.
 * Undefined for everything that is not one of ours; other programs have commands of their own.
 */
export function parseCommand(body: string): Command | undefined {
  const [, word, rest = ""] = COMMAND_LINE.exec(firstWords(body)) ?? [];
  return word === undefined ? undefined : commandOf(word.toLowerCase(), rest.trim());
}

/** Empty where the page begins with anything else: a margin is that of a quote, an item of a list or a footnote. */
function firstWords(body: string): string {
  const [block] = readMarkdown(body.slice(0, MOST)).blocks;
  if (block?.kind !== "text" || block.place.first !== "") return "";
  const [line] = block.lines;
  return line === undefined ? "" : textOf(line).trim();
}

function commandOf(word: string, rest: string): Command | undefined {
  if (word === "pause") return { kind: "pause", reason: rest.slice(0, LONGEST_REASON) };
  if (word === "priority") {
    const level = LEVELS.find((one) => one === rest.toLowerCase());
    if (level !== undefined) return { kind: "priority", level };
    return { kind: "misspoken", problem: "say /priority high, /priority normal or /priority low" };
  }
  const kind = PLAIN.find((one) => one === word);
  return kind === undefined ? undefined : { kind };
}
