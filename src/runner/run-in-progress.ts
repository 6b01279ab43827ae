import type { RepoContext } from "../deps.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";

/** One run under way: what it needs and how it is told to stop. */
export interface RunInProgress {
  readonly context: RepoContext;
  readonly run: Run;
  readonly task: Task;
  /** Aborted with the reason, as a sentence. */
  readonly signal: AbortSignal;
}
