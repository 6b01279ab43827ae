import { stripHtmlComments } from "../shared/strip-html-comments.ts";

export type Command =
  | { readonly kind: "explain" | "plan" | "retry" | "cancel" | "pause" | "resume" | "help" }
  | { readonly kind: "priority"; readonly level: PriorityLevel }
  /** One of ours, said in a way that we do not understand. */
  | { readonly kind: "misspoken"; readonly problem: string };

export type PriorityLevel = "high" | "normal" | "low";

const PLAIN = ["explain", "plan", "retry", "cancel", "pause", "resume", "help"] as const;
const LEVELS: readonly PriorityLevel[] = ["high", "normal", "low"];
/** Longer words are no command of anybody's. */
const COMMAND_LINE = /^\/([a-z][a-z-]{0,30})(?:[ \t]+(.{0,100}))?[ \t]*$/i;

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
  return commandOf(word.toLowerCase(), rest.trim().toLowerCase());
}

/** The first line of a comment is near its start. */
const MOST = 2000;

function commandOf(word: string, rest: string): Command | undefined {
  if (word === "priority") {
    const level = LEVELS.find((one) => one === rest);
    if (level !== undefined) return { kind: "priority", level };
    return { kind: "misspoken", problem: "say /priority high, /priority normal or /priority low" };
  }
  const kind = PLAIN.find((one) => one === word);
  return kind === undefined ? undefined : { kind };
}
