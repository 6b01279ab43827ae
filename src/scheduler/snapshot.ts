import type { Deps, RepoContext } from "../deps.ts";
import type { PullRequest, RepoReading } from "../domain/board.ts";
import type { ClaimHold } from "../domain/claim-hold.ts";
import type { EndedRun } from "../domain/ended-run.ts";
import type { RepoPause } from "../domain/given-command.ts";
import { instant } from "../domain/ids.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import type { FinishingLoad } from "../domain/finishing-load.ts";
import type { DependencyFact } from "../domain/plan.ts";
import type { Rework } from "../domain/rework.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { FinishedRun } from "../ports/store.ts";
import { cyclesAcross, readForeign } from "./cycles-across.ts";
import type { Phases } from "./phases.ts";
import { readFacts } from "./read-facts.ts";
import type { Dependencies } from "./phases.ts";
import { limitsFrom } from "./limits-from.ts";
import type { RunnerLimits } from "./slots.ts";

/** What the last look at the repository found, now and before. */
export interface Seen {
  readonly reading: RepoReading;
  /** The wave in progress, for `schedule: waves`. */
  readonly wave: readonly TaskId[];
  /** Of the base branch; undefined while nobody has read it: claims are then taken a little wider. */
  readonly directories: ReadonlySet<string> | undefined;
  /** Tasks in review that a run should go on with. */
  readonly rework: ReadonlyMap<TaskId, Rework>;
  readonly dependencies: Dependencies;
}

/** The day's budget and a provider's pauses look no further back. */
const RECENT_MS = 24 * 60 * 60 * 1000;

/** As many runs as estimates look at. */
const HISTORY = 200;

/** What every repository's runs have in common. */
export interface HostLoad {
  /** Runs under way on this host, in any repository. */
  readonly running: readonly Run[];
  /** What follows the agents of this host. */
  readonly finishing?: FinishingLoad;
}

export interface SchedulerSnapshot extends HostLoad {
  readonly context: RepoContext;
  readonly now: Instant;
  readonly tasks: readonly Task[];
  readonly holds: readonly ClaimHold[];
  /** The number of the last taking of claims. */
  readonly fence: number;
  /** All runs of the tasks. */
  readonly runs: readonly Run[];
  /** Runs of the last day, of any repository. */
  readonly recent: readonly EndedRun[];
  /** Bytes that the host could still give. */
  readonly availableMemory: number;
  /** The host's disk has less left than the operator wants. */
  readonly diskShort?: boolean;
  readonly facts: ReadonlyMap<TaskId, DependencyFact>;
  /** Parent issues that tasks depend on, as the tasks below them. */
  readonly phases?: Phases;
  /** Why tasks that wait for each other through another repository never start. */
  readonly cycles?: ReadonlyMap<TaskId, string>;
  readonly limits: RunnerLimits;
  /** Runs that succeeded, newest first. */
  readonly history: readonly FinishedRun[];
  /** Of the base branch as of the last look; undefined while nobody waits. */
  readonly directories: ReadonlySet<string> | undefined;
  /** Nothing new starts while it lasts. */
  readonly pause?: RepoPause | undefined;
  /** The wave in progress, for `schedule: waves`. */
  readonly wave: readonly TaskId[];
  /** Tasks in review that a run should go on with. */
  readonly rework: ReadonlyMap<TaskId, Rework>;
  /** As of the last look. */
  readonly pulls: readonly PullRequest[];
}

/** Everything that the scheduler decides on, read once. Nobody outside of this host is asked: a free slot does not wait for GitHub. */
export async function readSnapshot(
  context: RepoContext,
  seen: Seen,
  deps: Deps,
): Promise<SchedulerSnapshot> {
  const { tasks, runs, holds, fence } = await deps.store.readRepo(context.repo);
  const now = deps.clock.now();
  return {
    context,
    now,
    ...{ tasks, runs, holds, fence },
    ...hostLoad(deps),
    recent: await deps.store.recentRuns(instant(now - RECENT_MS)),
    availableMemory: await deps.host.availableMemory(),
    diskShort: (await deps.host.freeDiskBytes()) < deps.operator.minFreeDisk,
    facts: await readFacts({ ...seen, tasks }, deps),
    phases: seen.dependencies.phases,
    cycles: cyclesAcross(tasks, await readForeign(context.repo, tasks, deps)),
    limits: limitsFrom(deps.operator),
    history: await deps.store.finishedRuns(context.repo, HISTORY),
    directories: seen.directories,
    pause: await deps.store.pauseOf(context.repo),
    wave: seen.wave,
    rework: seen.rework,
    pulls: seen.reading.pulls,
  };
}

export function hostLoad({
  background,
  finishing,
}: Pick<Deps, "background" | "finishing">): HostLoad {
  return { running: background.running(), finishing: finishing.load };
}
