import { instant } from "../../src/domain/ids.ts";
import type { Entry } from "../../src/domain/entry.ts";
import type { Task } from "../../src/domain/task.ts";
import type { TrainSnapshot } from "../../src/train/decide.ts";
import { NOW, REPO, SUCCEEDED, aReading, aRun, aTask, anEntry } from "../support/builders.ts";

/** When tasks and entries came into their states: before the reading. */
export const EARLIER = instant(NOW - 60_000);

export function aSnapshot(members: Partial<TrainSnapshot> = {}): TrainSnapshot {
  return {
    repo: REPO,
    base: "main",
    now: NOW,
    reading: aReading(),
    tasks: [],
    entries: [],
    runs: [],
    verifiable: true,
    pause: { backoffMs: 1000, maxBackoffMs: 5000 },
    ...members,
  };
}

/** A task with a pull request, in review unless said otherwise. */
export function reviewed(members: Partial<Task> = {}): Task {
  const branch = `wavetrain/${members.issue ?? 1}`;
  return aTask({ state: "review", pull: 11, branch, changedAt: EARLIER, ...members });
}

export function inTrain(members: Partial<Entry> = {}): Entry {
  return anEntry({ enqueuedAt: EARLIER, changedAt: EARLIER, ...members });
}

export const FINISHED_RUN = aRun({ state: "finished", outcome: SUCCEEDED });
