import type { CommandName } from "../domain/given-command.ts";
import { textOf } from "../shared/markdown/lines.ts";
import { readMarkdown } from "../shared/markdown/read-markdown.ts";

export type Command =
  | { readonly kind: Exclude<CommandName, "priority" | "pause"> }
  /** The person gives the reason in their own words; it may be empty. */
  | { readonly kind: "pause"; readonly reason: string }
  | { readonly kind: "priority"; readonly level: PriorityLevel }
  /** It is one of our commands, said in a way that we do not understand. */
  | { readonly kind: "malformed"; readonly problem: string };

export type PriorityLevel = "high" | "normal" | "low";

const PLAIN = ["explain", "plan", "retry", "cancel", "explore", "resume", "help"] as const;
const LEVELS: readonly PriorityLevel[] = ["high", "normal", "low"];
/** Longer words are no command of anybody's. */
const COMMAND_LINE = /^\/([a-z][a-z-]{0,30})(?:[ \t]+(.*))?$/i;
/** GitHub takes no longer comment. */
const MAX_COMMENT_LENGTH = 65_536;
const MAX_REASON_LENGTH = 200;

/**
 * Reads the command that a comment gives: the first line that its page shows, where that is plain words, and nothing else of it.
 * It returns undefined for everything that is not one of ours; other programs have commands of their own.
 */
export function parseCommand(body: string): Command | undefined {
  const [, word, rest = ""] = COMMAND_LINE.exec(firstWords(body)) ?? [];
  return word === undefined ? undefined : commandOf(word.toLowerCase(), rest.trim());
}

/** Returns an empty text where the page begins with anything else: a margin belongs to a quote, an item of a list or a footnote. */
function firstWords(body: string): string {
  const [block] = readMarkdown(body.slice(0, MAX_COMMENT_LENGTH)).blocks;
  if (block?.kind !== "text" || block.place.first !== "") return "";
  const [line] = block.lines;
  return line === undefined ? "" : textOf(line).trim();
}

function commandOf(word: string, rest: string): Command | undefined {
  if (word === "pause") return { kind: "pause", reason: rest.slice(0, MAX_REASON_LENGTH) };
  if (word === "priority") {
    const level = LEVELS.find((one) => one === rest.toLowerCase());
    if (level !== undefined) return { kind: "priority", level };
    return { kind: "malformed", problem: "say /priority high, /priority normal or /priority low" };
  }
  if (word === "explore" && rest.toLowerCase() !== "go")
    return {
      kind: "malformed",
      problem: "say /explore go, which starts an exploration that waits for a yes",
    };
  const kind = PLAIN.find((one) => one === word);
  return kind === undefined ? undefined : { kind };
}
