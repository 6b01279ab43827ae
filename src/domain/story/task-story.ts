import { remembered } from "../../shared/remembered.ts";
import { leadingRun, runsOfTask } from "../explore/contenders.ts";
import { isOpenEntry } from "../entry.ts";
import type { Entry } from "../entry.ts";
import { lastExplorationOf } from "../exploration.ts";
import type { Exploration } from "../exploration.ts";
import type { TaskId } from "../ids.ts";
import type { Run } from "../run.ts";
import type { Task } from "../task.ts";
import type { Train } from "../train.ts";

/** A story is a task with its latest run and its latest entry in the train: everything that people are told of it. */
export interface TaskStory {
  readonly task: Task;
  readonly run: Run | undefined;
  readonly entry: Entry | undefined;
  /** It is the last one of the task, if it ever explored. */
  readonly exploring?: Exploring | undefined;
  /** The entry is in this train; it is undefined where nothing of the task is in a train. */
  readonly train?: Train | undefined;
  /** The place in the train is counted from 1. */
  readonly position?: number | undefined;
}

/** This is an exploration with the runs of its task. */
export interface Exploring {
  readonly exploration: Exploration;
  readonly runs: readonly Run[];
}

/** Returns the exploration of the task's present attempt, if that has one by now. */
export function presentExploring({ task, exploring }: TaskStory): Exploring | undefined {
  return exploring?.exploration.attempt === task.attempts ? exploring : undefined;
}

export interface Memory {
  readonly runs: readonly Run[];
  readonly explorations: readonly Exploration[];
  readonly entries: readonly Entry[];
  readonly trains: readonly Train[];
}

export function storyOf(task: Task, { runs, explorations, entries, trains }: Memory): TaskStory {
  const { last, positions } = inTrain(entries);
  const entry = last.get(task.id);
  const isIn = entry !== undefined && isOpenEntry(entry.state);
  return {
    task,
    run: leadingRun(task.id, runs),
    entry,
    exploring: exploringOf(task, { runs, explorations }),
    train: isIn ? trains.find(({ base }) => base === entry.base) : undefined,
    position: positions.get(task.id),
  };
}

function exploringOf(
  task: Task,
  { runs, explorations }: Pick<Memory, "runs" | "explorations">,
): Exploring | undefined {
  const exploration = lastExplorationOf(task.id, explorations);
  return exploration && { exploration, runs: runsOfTask(task.id, runs) };
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
