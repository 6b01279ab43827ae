import type { Instant, RepoName, RunId } from "./ids.ts";

export type CommandName =
  "explain" | "plan" | "retry" | "cancel" | "explore" | "pause" | "resume" | "help" | "priority";

/** `untrusted` means that the person may not give commands, and that nothing else was looked at. */
export type CommandResult = "done" | "refused" | "untrusted";

/** This is said in return. `lines` are plain sentences; `markdown` is ours and safe as it is. */
export interface CommandAnswer {
  readonly lines: readonly string[];
  readonly markdown?: string;
}

/** This is done to the world after the command is on record; doing it twice is harmless. */
export type CommandEffect =
  | { readonly kind: "cancel-run"; readonly run: RunId; readonly reason: string }
  | {
      readonly kind: "set-labels";
      readonly issue: number;
      readonly add: readonly string[];
      readonly remove: readonly string[];
    };

/** A person gave this command, and this was decided about it. Its id names where it came from: each is taken once. */
export interface GivenCommand {
  readonly id: string;
  readonly repo: RepoName;
  /** It is undefined when the command is about the repository as a whole. */
  readonly issue: number | undefined;
  readonly givenBy: string;
  /** `malformed` means that it was meant for us, but that we do not know it. */
  readonly said: CommandName | "malformed";
  /** It was said with the command: a reason, a level. */
  readonly detail: string;
  readonly result: CommandResult;
  readonly answer: CommandAnswer;
  readonly effects: readonly CommandEffect[];
  /** This comment gets a reaction. */
  readonly comment: string | undefined;
  readonly at: Instant;
  /** Its effects and its reaction were done then; it is undefined while they are due. */
  readonly doneAt: Instant | undefined;
}

/** Nothing new starts and nothing lands in the repository until someone resumes it. */
export interface RepoPause {
  readonly by: string;
  readonly reason: string;
  readonly since: Instant;
}
