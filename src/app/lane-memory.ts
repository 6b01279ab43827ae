import { NO_DEPENDENCIES } from "../board/phases.ts";
import type { Dependencies } from "../board/phases.ts";
import type { RepoReading } from "../domain/board.ts";
import { instant } from "../domain/ids.ts";
import type { Instant, RepoName, TaskId } from "../domain/ids.ts";
import type { Rework } from "../domain/run.ts";
import type { LaneName } from "../loop/loop.ts";
import { NO_OBJECTIVES } from "../objectives/tick.ts";
import type { ObjectivesMemory } from "../objectives/tick.ts";
import type { RepoContext } from "../ports/deps.ts";
import type { TrustDecisions } from "../trust/vouch.ts";

/** What the lanes of a repository know between ticks; losing it costs one read. Only the look writes what is of GitHub. */
export interface LaneMemory {
  /** Undefined while the repository cannot be worked on. */
  context: RepoContext | undefined;
  reading: RepoReading | undefined;
  /** Every reading takes a while of the budget: until when the past ones have. */
  readingsPaidUntil: Instant;
  /** GitHub changed since the reading, and it is not time for the next one yet. */
  unread: boolean;
  directories: ReadonlySet<string> | undefined;
  /** The base moved since they were read. */
  directoriesAreOld: boolean;
  dependencies: Dependencies;
  decisions: TrustDecisions;
  rework: ReadonlyMap<TaskId, Rework>;
  checkedWithoutResult: ReadonlyMap<TaskId, number>;
  objectives: ObjectivesMemory;
  wave: readonly TaskId[];
}

/** Of a repository that was looked at and can be worked on. */
export type KnownRepo = LaneMemory & {
  readonly context: RepoContext;
  readonly reading: RepoReading;
};

export type WakeLane = (repo: RepoName, lane: LaneName) => void;

export function isKnown(memory: LaneMemory): memory is KnownRepo {
  return memory.context !== undefined && memory.reading !== undefined;
}

export function newMemory(): LaneMemory {
  return {
    context: undefined,
    reading: undefined,
    readingsPaidUntil: instant(0),
    unread: false,
    directories: undefined,
    directoriesAreOld: true,
    dependencies: NO_DEPENDENCIES,
    decisions: new Map(),
    rework: new Map(),
    checkedWithoutResult: new Map(),
    objectives: NO_OBJECTIVES,
    wave: [],
  };
}
