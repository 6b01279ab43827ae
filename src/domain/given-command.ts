import type { Instant, RepoName, RunId } from "./ids.ts";

export type CommandName =
  "explain" | "plan" | "retry" | "cancel" | "pause" | "resume" | "help" | "priority";

/** `untrusted`: the person may not give commands, and nothing else was looked at. */
export type CommandVerdict = "done" | "refused" | "untrusted";

/** What is said in return. `lines` are plain sentences; `markdown` is ours and safe as it is. */
export interface CommandAnswer {
  readonly lines: readonly string[];
  readonly markdown?: string;
}

/** What is done to the world after the command is on record; doing it twice is harmless. */
export type CommandEffect =
  | { readonly kind: "cancel-run"; readonly run: RunId; readonly reason: string }
  | {
      readonly kind: "set-labels";
      readonly issue: number;
      readonly add: readonly string[];
      readonly remove: readonly string[];
    };

/** A command that a person gave, with what was decided about it. Its id names where it came from: each is taken once. */
export interface GivenCommand {
  readonly id: string;
  readonly repo: RepoName;
  /** Undefined when it is about the repository as a whole. */
  readonly issue: number | undefined;
  readonly givenBy: string;
  /** `misspoken`: meant for us, but nothing that we know. */
  readonly said: CommandName | "misspoken";
  /** What was said with it: a reason, a level. */
  readonly detail: string;
  readonly verdict: CommandVerdict;
  readonly answer: CommandAnswer;
  readonly effects: readonly CommandEffect[];
  /** The comment that gets a reaction. */
  readonly comment: string | undefined;
  readonly at: Instant;
  /** When its effects and its reaction were seen to; undefined while they are due. */
  readonly doneAt: Instant | undefined;
}

/** Nothing new starts and nothing lands in the repository until someone resumes it. */
export interface RepoPause {
  readonly by: string;
  readonly reason: string;
  readonly since: Instant;
}
