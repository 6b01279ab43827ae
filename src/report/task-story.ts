import { leadingRun } from "../domain/candidates.ts";
import { isOpenEntry } from "../domain/entry.ts";
import type { Entry } from "../domain/entry.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { Train } from "../domain/train.ts";
import type { RepoMemory } from "../ports/store.ts";

/** A task with its latest run and its latest entry in the train: what reports tell of it. */
export interface TaskStory {
  readonly task: Task;
  readonly run: Run | undefined;
  readonly entry: Entry | undefined;
  /** Place in the train counted from 1. */
  readonly position?: number | undefined;
  /** Its train waits for a person. */
  readonly stands?: boolean;
}

export function storyOf(task: Task, { runs, entries, trains }: RepoMemory): TaskStory {
  const entry = entries.findLast((one) => one.task === task.id);
  return {
    ...{ task, run: leadingRun(task.id, runs), entry },
    position: positionOf(task, entries),
    stands: trains.some((train) => train.base === entry?.base && waitsForPerson(train)),
  };
}

/** A red base ends by itself, and whoever pauses has been answered: neither is worth a write for everyone who waits. */
function waitsForPerson({ state, cause }: Train): boolean {
  return state === "halted" && cause !== "red-base";
}

function positionOf(task: Task, entries: readonly Entry[]): number | undefined {
  const inTrain = entries.filter(({ state }) => isOpenEntry(state));
  const mine = inTrain.findLast((entry) => entry.task === task.id);
  if (mine === undefined) return undefined;
  return 1 + inTrain.filter(({ base }) => base === mine.base).indexOf(mine);
}
