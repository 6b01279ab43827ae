import type { RepoContext } from "../deps.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { Proof } from "../ports/store.ts";
import type { History } from "./history.ts";
import type { Job } from "./job.ts";

/** One run under way: what it needs and how it is told to stop. */
export interface RunInProgress {
  readonly context: RepoContext;
  readonly run: Run;
  readonly task: Task;
  readonly history: History;
  /** By what right it writes: lost once the run is given up. */
  readonly proof: Proof;
  /** Aborted with the StopOutcome. */
  readonly signal: AbortSignal;
  /** Absent for a run that makes a change. */
  readonly job?: Job;
}
