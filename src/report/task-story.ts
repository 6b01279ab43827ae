import { leadingRun } from "../domain/candidates.ts";
import type { Entry } from "../domain/entry.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { RepoMemory } from "../ports/store.ts";

/** A task with its latest run and its latest entry in the train: what reports tell of it. */
export interface TaskStory {
  readonly task: Task;
  readonly run: Run | undefined;
  readonly entry: Entry | undefined;
}

export function storyOf(task: Task, { runs, entries }: RepoMemory): TaskStory {
  return {
    task,
    run: leadingRun(task.id, runs),
    entry: entries.findLast((entry) => entry.task === task.id),
  };
}
