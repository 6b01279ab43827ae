import type { Phases, Dependencies } from "../board/phases.ts";
import { readFacts } from "../board/read-dependencies.ts";
import type { PullRequest, RepoReading } from "../domain/board.ts";
import type { OutOfReach } from "../domain/claim/out-of-reach.ts";
import type { Exploration } from "../domain/exploration.ts";
import type { RepoPause } from "../domain/given-command.ts";
import { instant, repoOf } from "../domain/ids.ts";
import type { Instant, RunId, TaskId, RepoName } from "../domain/ids.ts";
import type { DependencyFact } from "../domain/plan.ts";
import type { EndedRun, FinishingLoad, Run } from "../domain/run.ts";
import { isPlanned } from "../domain/task.ts";
import type { ClaimHold, Task } from "../domain/task.ts";
import { findCycles } from "../planner/waves/find-cycles.ts";
import { taskNames } from "../planner/waves/task-name.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import type { FinishedRun, RepoMemory } from "../ports/store.ts";
import { definitionsOf } from "./slots/runner-definition.ts";
import { limitsFrom } from "./slots/slots.ts";
import type { RunnerLimits } from "./slots/slots.ts";

/** Holds what the last look at the repository found, and what is kept from earlier looks. */
export interface Seen {
  readonly reading: RepoReading;
  /** This is the wave in progress, for `schedule: waves`. */
  readonly wave: readonly TaskId[];
  /** These are the directories of the base branch. While nobody has read them it is undefined, and claims are taken a little wider. */
  readonly directories: ReadonlySet<string> | undefined;
  readonly outOfReach?: OutOfReach | undefined;
  readonly dependencies: Dependencies;
}

/** Describes the load that the runs of all repositories share. */
export interface HostLoad {
  /** These runs are under way on this host, in any repository. */
  readonly running: readonly Run[];
  /** Describes the work of this host that comes after its agents. */
  readonly finishing?: FinishingLoad;
}

export interface SchedulerSnapshot extends HostLoad {
  readonly context: RepoContext;
  readonly now: Instant;
  readonly tasks: readonly Task[];
  readonly holds: readonly ClaimHold[];
  /** This number was given when claims were last taken. */
  readonly fence: number;
  readonly explorations: readonly Exploration[];
  /** These are all runs of the tasks. */
  readonly runs: readonly Run[];
  /** These are the runs of the last day, of any repository. */
  readonly recent: readonly EndedRun[];
  /** These are digests of the runners as they are configured. */
  readonly definitions?: ReadonlyMap<string, string>;
  /** Somebody lifted the pauses of runners at these times. */
  readonly lifts?: ReadonlyMap<string, Instant>;
  /** The host could still give so many bytes. */
  readonly availableMemory: number;
  /** Is true if the host's disk has less left than the operator wants. */
  readonly diskShort?: boolean;
  readonly facts: ReadonlyMap<TaskId, DependencyFact>;
  /** Maps parent issues that tasks depend on to the tasks below them. */
  readonly phases?: Phases;
  /** Says why tasks that wait for each other through another repository never start. */
  readonly cycles?: ReadonlyMap<TaskId, string>;
  readonly limits: RunnerLimits;
  /** These runs succeeded; the newest comes first. */
  readonly history: readonly FinishedRun[];
  /** These are the directories of the base branch at the last look. It is undefined while nobody waits. */
  readonly directories: ReadonlySet<string> | undefined;
  /** No run can change these parts of the base; they were read together with its directories. */
  readonly outOfReach?: OutOfReach | undefined;
  /** Somebody cancelled these runs, which may not have ended yet. */
  readonly cancels?: ReadonlyMap<RunId, string>;
  /** Nothing new starts while it lasts. */
  readonly pause?: RepoPause | undefined;
  /** This is the wave in progress, for `schedule: waves`. */
  readonly wave: readonly TaskId[];
  /** These are the pull requests at the last look. */
  readonly pulls: readonly PullRequest[];
}

/** The day's budget and a provider's pauses look no further back. */
const RECENT_MS = 24 * 60 * 60 * 1000;

/** Estimates look at no more runs than this. */
const MAX_HISTORY_RUNS = 200;

/** Reads everything that the scheduler decides on, once. Nobody outside of this host is asked, so a free slot does not wait for GitHub. */
export async function readSnapshot(
  context: RepoContext,
  seen: Seen & { readonly stored: RepoMemory },
  deps: Pick<Deps, "background" | "clock" | "finishing" | "host" | "operator" | "store">,
): Promise<SchedulerSnapshot> {
  const { tasks, runs, explorations, holds, fence } = seen.stored;
  const now = deps.clock.now();
  return {
    context,
    now,
    tasks,
    runs,
    explorations,
    holds,
    fence,
    ...hostLoad(deps),
    recent: await deps.store.recentRuns(instant(now - RECENT_MS)),
    definitions: definitionsOf(deps.operator, deps.host.environment),
    lifts: await deps.store.runnerLifts(),
    availableMemory: await deps.host.availableMemory(),
    diskShort: (await deps.host.freeDiskBytes()) < deps.operator.minFreeDisk,
    facts: await readFacts({ ...seen, tasks }, deps),
    phases: seen.dependencies.phases,
    cycles: cyclesAcross(tasks, await readForeign(context.repo, tasks, deps)),
    limits: limitsFrom(deps.operator),
    history: await deps.store.finishedRuns(context.repo, MAX_HISTORY_RUNS),
    directories: seen.directories,
    outOfReach: seen.outOfReach,
    pause: await deps.store.pauseOf(context.repo),
    wave: seen.wave,
    pulls: seen.reading.pulls,
  };
}

export function hostLoad({
  background,
  finishing,
}: Pick<Deps, "background" | "finishing">): HostLoad {
  return { running: background.running(), finishing: finishing.load };
}

/** Says, by task, why tasks that wait for each other through another repository never start. */
export function cyclesAcross(
  own: readonly Task[],
  foreign: readonly Task[],
): ReadonlyMap<TaskId, string> {
  if (foreign.length === 0) return new Map();
  const all = [...own.filter((task) => isPlanned(task.state)), ...foreign];
  const at = new Map(all.map(({ id }, position) => [id, position]));
  const edges = all.map(({ spec }) => spec.dependsOn.flatMap((id) => at.get(id) ?? []));
  const reasons = new Map<TaskId, string>();
  for (const members of findCycles(edges)) {
    const ids = members.flatMap((position) => all[position]?.id ?? []);
    // A cycle within one repository is found there, and named step by step.
    if (new Set(ids.map(repoOf)).size < 2) continue;
    for (const id of ids) {
      reasons.set(id, `dependency cycle across repositories among ${taskNames(ids, id, 12)}`);
    }
  }
  return reasons;
}

/** Longer chains through other repositories are not followed. A task in such a chain waits, which is safe. */
const MAX_CHAIN_STEPS = 20;

/** Reads the tasks of other repositories that the given ones wait for, directly or through each other. */
async function readForeign(
  repo: RepoName,
  tasks: readonly Task[],
  { store }: Pick<Deps, "store">,
): Promise<readonly Task[]> {
  const found = new Map<TaskId, Task>();
  let frontier = tasks.filter((task) => isPlanned(task.state));
  for (let step = 0; step < MAX_CHAIN_STEPS && frontier.length > 0; step += 1) {
    const wanted = new Set(
      frontier
        .flatMap(({ spec }) => spec.dependsOn)
        .filter((id) => !found.has(id) && repoOf(id) !== repo),
    );
    frontier = wanted.size === 0 ? [] : [...(await store.tasks([...wanted]))];
    for (const task of frontier) found.set(task.id, task);
  }
  return [...found.values()].filter((task) => isPlanned(task.state));
}
