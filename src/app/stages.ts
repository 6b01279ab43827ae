import type { RepoName } from "../domain/ids.ts";
import type { LoopOptions, Tick } from "../loop/loop.ts";
import { oneTickPerRepo } from "../loop/one-tick-per-repo.ts";
import { report as reportObjectives } from "../objectives/report/report-objectives.ts";
import type { Deps } from "../ports/deps.ts";
import { Reporter } from "../report/reporter.ts";
import { tick as schedulerTick } from "../scheduler/tick.ts";
import { tick as trainTick } from "../train/tick.ts";
import { isKnown, newMemory } from "./lane-memory.ts";
import type { KnownRepo, LaneMemory, WakeLane } from "./lane-memory.ts";
import { createLook } from "./look.ts";
import type { Settings } from "./settings.ts";

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
  const reporter = new Reporter(deps, reportObjectives);
  return {
    reporter,
    ticks: {
      look: oneTickPerRepo("look", createLook({ settings, memoryOf, wakeLane }, deps), deps),
      start: oneTickPerRepo("start", start, deps),
      land: whenKnown(memoryOf, ({ context, reading }) => trainTick(context, reading, deps)),
      report: oneTickPerRepo(
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
