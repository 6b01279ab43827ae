import type { RepoContext } from "../deps.ts";
import type { Entry } from "../domain/entry.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";

export interface Landing {
  readonly context: RepoContext;
  readonly entry: Entry;
  readonly task: Task;
  /** The run that made the change. */
  readonly run: Run | undefined;
  /** Another open pull request targets this branch: deleting it would close that one. */
  readonly keepBranch: boolean;
}
