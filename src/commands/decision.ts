import type { RepoConfig } from "../config/schema.ts";
import type { Card } from "../domain/board.ts";
import type { Change } from "../domain/change.ts";
import type { Entry } from "../domain/entry.ts";
import type {
  CommandAnswer,
  CommandEffect,
  CommandVerdict,
  RepoPause,
} from "../domain/given-command.ts";
import type { Instant } from "../domain/ids.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { Train } from "../domain/train.ts";
import type { ByCommand } from "../trust/vouch-by-command.ts";
import type { Command } from "./parse-command.ts";

/** Everything that a command is decided on. */
export interface CommandSnapshot {
  readonly now: Instant;
  readonly command: Command;
  readonly by: string;
  readonly trusted: boolean;
  /** Where it was said, or the issue of the pull request where it was said. */
  readonly issue: number | undefined;
  readonly task: Task | undefined;
  /** Of the task, while it has not ended. */
  readonly run: Run | undefined;
  /** Of the task, while it is in the train. */
  readonly entry: Entry | undefined;
  readonly card: Card | undefined;
  /** The issue is an objective at this moment; undefined: not looked for yet. */
  readonly labelled: boolean | undefined;
  readonly labels: Pick<RepoConfig["labels"], "priorityHigh" | "priorityLow">;
  readonly pause: RepoPause | undefined;
  readonly trains: readonly Train[];
  /** What the issue says now, as far as a command for another attempt accepts it; undefined: it accepts nothing. */
  readonly text?: ByCommand | undefined;
  /** Someone without the right to give commands was already told so here. */
  readonly told: boolean;
  /** What the plan has to say, when it is asked. */
  readonly words: CommandAnswer | undefined;
}

export interface CommandDecision {
  readonly verdict: CommandVerdict;
  readonly answer: CommandAnswer;
  readonly changes: readonly Change[];
  readonly effects: readonly CommandEffect[];
}

export function done(
  line: string,
  { changes = [], effects = [] }: Partial<Pick<CommandDecision, "changes" | "effects">> = {},
): CommandDecision {
  return { verdict: "done", answer: { lines: [line] }, changes, effects };
}

export function refused(line: string): CommandDecision {
  return { verdict: "refused", answer: { lines: [line] }, changes: [], effects: [] };
}
