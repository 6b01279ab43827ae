import type { RepoConfig } from "../config/schema/repo-config.ts";
import type { Card } from "../domain/board.ts";
import type { Change } from "../domain/change.ts";
import type { Entry } from "../domain/entry.ts";
import type {
  CommandAnswer,
  CommandEffect,
  CommandResult,
  RepoPause,
} from "../domain/given-command.ts";
import type { Instant } from "../domain/ids.ts";
import type { Run } from "../domain/run.ts";
import type { Exploring } from "../domain/story/task-story.ts";
import type { Task } from "../domain/task.ts";
import type { Train } from "../domain/train.ts";
import type { ByCommand } from "../trust/vouch-by-command.ts";
import type { Command } from "./parse-command.ts";

/** A command is decided on these facts. */
export interface CommandSnapshot {
  readonly now: Instant;
  readonly command: Command;
  readonly by: string;
  readonly trusted: boolean;
  /** It was said on this issue, or on the pull request of this issue. */
  readonly issue: number | undefined;
  readonly task: Task | undefined;
  /** These runs of the task have not ended; there are several if it explores. */
  readonly runs: readonly Run[];
  /** It is the last exploration of the task, with all runs of the task. */
  readonly exploring?: Exploring | undefined;
  /** This runner would do the task and is paused for a reason that somebody can put right. */
  readonly pausedRunner?: string | undefined;
  /** It is the task's entry, while it is in the train. */
  readonly entry: Entry | undefined;
  readonly card: Card | undefined;
  /** The issue is an objective at this moment; it is undefined if nobody has looked yet. */
  readonly labelled: boolean | undefined;
  readonly labels: Pick<RepoConfig["labels"], "priorityHigh" | "priorityLow">;
  readonly pause: RepoPause | undefined;
  readonly trains: readonly Train[];
  /** It has the issue's present words, as far as a command for another attempt accepts them; it is undefined if the command accepts nothing. */
  readonly text?: ByCommand | undefined;
  /** Someone without the right to give commands was already told so here. */
  readonly told: boolean;
  /** It is the plan's answer, when it is asked. */
  readonly words: CommandAnswer | undefined;
}

export interface CommandDecision {
  readonly result: CommandResult;
  readonly answer: CommandAnswer;
  readonly changes: readonly Change[];
  readonly effects: readonly CommandEffect[];
}

export function done(
  line: string,
  { changes = [], effects = [] }: Partial<Pick<CommandDecision, "changes" | "effects">> = {},
): CommandDecision {
  return { result: "done", answer: { lines: [line] }, changes, effects };
}

export function refused(line: string): CommandDecision {
  return { result: "refused", answer: { lines: [line] }, changes: [], effects: [] };
}
