import type { ApiBudget, HeldBack } from "../ports/api-budget.ts";
import type { EntryState } from "../domain/entry.ts";
import type { Instant } from "../domain/ids.ts";
import type { RunState } from "../domain/run.ts";
import type { TaskState } from "../domain/task.ts";

export interface TaskStatus {
  readonly id: string;
  readonly title: string;
  readonly state: TaskState;
  /** Why it is in this state, as a sentence. */
  readonly reason: string;
  readonly wave: number | undefined;
  readonly attempts: number;
  readonly pull: number | undefined;
  readonly changedAt: Instant;
}

export interface RunStatus {
  readonly id: string;
  readonly task: string;
  readonly runner: string;
  readonly attempt: number;
  readonly state: RunState;
  readonly startedAt: Instant | undefined;
  readonly logPath: string | undefined;
  /** The server that works on it. */
  readonly host: string | undefined;
}

export interface EntryStatus {
  readonly id: string;
  readonly task: string;
  readonly pull: number | undefined;
  readonly base: string;
  readonly state: EntryState;
  readonly reason: string;
}

export interface RepoStatus {
  readonly repo: string;
  /** What somebody has to put right, a sentence each. */
  readonly notices: readonly string[];
  /** What people should see on GitHub and do not see yet, the most worthy first. */
  readonly heldBack: readonly HeldBack[];
  /** What is not done, and what landed within the last day. */
  readonly tasks: readonly TaskStatus[];
  /** Runs that have not ended. */
  readonly runs: readonly RunStatus[];
  /** The train, in its order. */
  readonly entries: readonly EntryStatus[];
}

/** What `GET /wavetrain/status` answers. */
export interface Status {
  readonly at: Instant;
  readonly slots: number;
  /** What somebody has to look at on this server, a sentence each. */
  readonly notices: readonly string[];
  /** The server that answers; undefined where there is only one. */
  readonly host: string | undefined;
  readonly runners: readonly {
    readonly name: string;
    readonly slots: number;
    readonly running: number;
  }[];
  /** What is left of GitHub's API, for each installation that was used. */
  readonly budgets: readonly ApiBudget[];
  readonly repositories: readonly RepoStatus[];
}
