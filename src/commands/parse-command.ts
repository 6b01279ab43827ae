import type { CommandName } from "../domain/given-command.ts";
import { stripHtmlComments } from "../shared/strip-html-comments.ts";

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
/** The first line of a comment is near its start. */
const MOST = 2000;
const LONGEST_REASON = 200;

/**
 * The command that a comment gives: its first line, and nothing else of it. Undefined for everything that is not one of ours; other
 * programs have commands of their own.
 */
export function parseCommand(body: string): Command | undefined {
  const first = stripHtmlComments(body.slice(0, MOST))
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .find((line) => line !== "");
  const [, word, rest = ""] = COMMAND_LINE.exec(first ?? "") ?? [];
  if (word === undefined) return undefined;
  return commandOf(word.toLowerCase(), rest.trim());
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
