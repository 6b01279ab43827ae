import type { Instant, RepoName, RunId, TaskId } from "./ids.ts";
import type { RunOutcome } from "./run.ts";
import type { Usage } from "./usage.ts";

/** A run that has ended, without its texts: what pauses, breakers, budgets and utilization are derived from. */
export interface EndedRun {
  readonly id: RunId;
  readonly repo: RepoName;
  readonly task: TaskId;
  readonly runner: string;
  readonly queuedAt: Instant;
  readonly startedAt: Instant | undefined;
  readonly finishedAt: Instant;
  readonly kind: RunOutcome["kind"];
  /** Of a provider's limit: when it is said to end. */
  readonly until: Instant | undefined;
  /** Lost because the app stopped: it says nothing about the runner. */
  readonly interrupted: boolean;
  readonly usage: Usage | undefined;
}
