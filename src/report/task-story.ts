import { leadingRun } from "../domain/candidates.ts";
import { isOpenEntry } from "../domain/entry.ts";
import type { Entry } from "../domain/entry.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { RepoMemory } from "../ports/store.ts";

/** A task with its latest run and its latest entry in the train: what reports tell of it. */
export interface TaskStory {
  readonly task: Task;
  readonly run: Run | undefined;
  readonly entry: Entry | undefined;
  /** Place in the train counted from 1. */
  readonly position?: number | undefined;
}

export function storyOf(task: Task, { runs, entries }: RepoMemory): TaskStory {
  return {
    task,
    run: leadingRun(task.id, runs),
    entry: entries.findLast((entry) => entry.task === task.id),
    position: positionOf(task, entries),
  };
}

function positionOf(task: Task, entries: readonly Entry[]): number | undefined {
  const inTrain = entries.filter(({ state }) => isOpenEntry(state));
  const mine = inTrain.findLast((entry) => entry.task === task.id);
  if (mine === undefined) return undefined;
  return 1 + inTrain.filter(({ base }) => base === mine.base).indexOf(mine);
}
