import { leadingRun } from "../../domain/contenders.ts";
import { isOpenEntry } from "../../domain/entry.ts";
import type { Entry } from "../../domain/entry.ts";
import type { TaskId } from "../../domain/ids.ts";
import type { Run } from "../../domain/run.ts";
import type { Task } from "../../domain/task.ts";
import type { Train } from "../../domain/train.ts";
import type { RepoMemory } from "../../ports/store.ts";
import { remembered } from "../../shared/remembered.ts";

/** A story is a task with its latest run and its latest entry in the train: reports tell this. */
export interface TaskStory {
  readonly task: Task;
  readonly run: Run | undefined;
  readonly entry: Entry | undefined;
  /** The place in the train is counted from 1. */
  readonly position?: number | undefined;
  /** Its train waits for a person. */
  readonly stands?: boolean;
}

export function storyOf(task: Task, { runs, entries, trains }: RepoMemory): TaskStory {
  const { last, positions } = inTrain(entries);
  const entry = last.get(task.id);
  return {
    task,
    run: leadingRun(task.id, runs),
    entry,
    position: positions.get(task.id),
    stands: trains.some((train) => train.base === entry?.base && waitsForPerson(train)),
  };
}

/** A red base ends by itself, and whoever paused the train was answered: neither is worth a write for everyone who waits. */
function waitsForPerson({ state, cause }: Train): boolean {
  return state === "halted" && cause !== "red-base";
}

interface InTrain {
  /** It holds the latest entry of each task, open or not. */
  readonly last: ReadonlyMap<TaskId, Entry>;
  /** It holds the places of open entries among those with the same base. */
  readonly positions: ReadonlyMap<TaskId, number>;
}

const inTrain = remembered((entries: readonly Entry[]): InTrain => {
  const last = new Map(entries.map((entry) => [entry.task, entry]));
  const positions = new Map<TaskId, number>();
  const lengths = new Map<string, number>();
  for (const { state, base, task } of entries) {
    if (!isOpenEntry(state)) continue;
    const position = 1 + (lengths.get(base) ?? 0);
    lengths.set(base, position);
    positions.set(task, position);
  }
  return { last, positions };
});
