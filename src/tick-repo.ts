import type { Deps, RepoContext } from "./deps.ts";
import type { RepoReading } from "./domain/board.ts";
import { instant } from "./domain/ids.ts";
import type { Instant, RepoName, TaskId } from "./domain/ids.ts";
import type { Rework } from "./domain/rework.ts";
import { inTurns } from "./in-turns.ts";
import { createLook } from "./look.ts";
import type { LaneName, LoopOptions, Tick } from "./loop.ts";
import { NO_OBJECTIVES } from "./objectives/tick.ts";
import type { ObjectivesMemory } from "./objectives/tick.ts";
import { Reporter } from "./report/reporter.ts";
import { NO_DEPENDENCIES } from "./scheduler/read-dependencies.ts";
import type { Dependencies } from "./scheduler/read-dependencies.ts";
import { tick as schedulerTick } from "./scheduler/tick.ts";
import type { Settings } from "./settings.ts";
import type { Verdicts } from "./trust/vouch.ts";
import { tick as trainTick } from "./train/tick.ts";

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
  verdicts: Verdicts;
  rework: ReadonlyMap<TaskId, Rework>;
  inVain: ReadonlyMap<TaskId, number>;
  objectives: ObjectivesMemory;
  wave: readonly TaskId[];
}

/** Of a repository that was looked at and can be worked on. */
export type KnownRepo = LaneMemory & {
  readonly context: RepoContext;
  readonly reading: RepoReading;
};

export type WakeLane = (repo: RepoName, lane: LaneName) => void;

export interface RepoTicks {
  readonly ticks: LoopOptions["ticks"];
  readonly reporter: Reporter;
}

/**
 * A repository's work, lane by lane: `look` reads GitHub and takes in what changed, `start` fills free slots, `land` moves the train,
 * `report` brings GitHub up to the store. They hand over through the store and what the last look found, and none waits for another.
 */
export function createTicks(settings: Settings, deps: Deps, wakeLane: WakeLane): RepoTicks {
  const memories = new Map<RepoName, LaneMemory>();
  const memoryOf = (repo: RepoName): LaneMemory => {
    const memory = memories.get(repo) ?? newMemory();
    memories.set(repo, memory);
    return memory;
  };
  const start: Tick = whenKnown(memoryOf, async (memory) => {
    const { again, wave, changed } = await schedulerTick(memory.context, memory, deps);
    memory.wave = wave;
    if (changed) wakeLane(memory.context.repo, "report");
    return again;
  });
  const reporter = new Reporter(deps);
  return {
    reporter,
    ticks: {
      look: inTurns("look", createLook({ settings, memoryOf, wakeLane }, deps), deps),
      start: inTurns("start", start, deps),
      land: whenKnown(memoryOf, ({ context, reading }) => trainTick(context, reading, deps)),
      report: inTurns(
        "report",
        whenKnown(memoryOf, (memory) => reporter.report(memory)),
        deps,
      ),
    },
  };
}

/** Before the first look there is nothing to go by. */
function whenKnown(
  memoryOf: (repo: RepoName) => LaneMemory,
  tick: (memory: KnownRepo) => Promise<number | undefined>,
): Tick {
  return (repo) => {
    const memory = memoryOf(repo);
    return isKnown(memory) ? tick(memory) : Promise.resolve(undefined);
  };
}

function isKnown(memory: LaneMemory): memory is KnownRepo {
  return memory.context !== undefined && memory.reading !== undefined;
}

function newMemory(): LaneMemory {
  return {
    context: undefined,
    reading: undefined,
    readingsPaidUntil: instant(0),
    unread: false,
    directories: undefined,
    directoriesAreOld: true,
    dependencies: NO_DEPENDENCIES,
    verdicts: new Map(),
    rework: new Map(),
    inVain: new Map(),
    objectives: NO_OBJECTIVES,
    wave: [],
  };
}
