import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import type { RepoConfig } from "../../config/schema/repo-config.ts";
import type { Budget } from "../../domain/budget.ts";
import { instant } from "../../domain/ids.ts";
import type { Instant, TaskId } from "../../domain/ids.ts";
import { takesSlot } from "../../domain/run.ts";
import type { EndedRun, Run } from "../../domain/run.ts";
import type { Task } from "../../domain/task.ts";
import type {
  FreeMemory,
  FreeSlots,
  Route,
  RunnerPause,
} from "../../planner/starts/slot-ledger.ts";
import { routeOf } from "./routes.ts";
import type { RoutedRunner } from "./routes.ts";
import { runnerHealth } from "./runner-health.ts";
import type { RestRules, RunnerHealth } from "./runner-health.ts";

export interface PooledRunner extends RoutedRunner {
  readonly slots: number;
  /** One run needs so many bytes. */
  readonly memory: number;
}

export interface RunnerLimits {
  readonly runners: Readonly<Record<string, PooledRunner>>;
  readonly defaultRunner: string;
  readonly overall: number;
  /** So many runs are collected, verified and pushed at the same time. */
  readonly finishing: number;
  /** Is true if other servers may have room where this one has none. */
  readonly shared?: boolean;
  readonly launchDelayMs: number;
  readonly fallbackAfterMs: number;
  /** So many bytes stay free. */
  readonly minFreeMemory: number;
  readonly rest: RestRules;
  readonly budget: { readonly perTask: Budget; readonly perDay: Budget };
}

export interface SlotUse {
  readonly now: Instant;
  /** These runs are under way on this host, in any repository. */
  readonly running: readonly Run[];
  /** These are the runs of the last day, of any repository. */
  readonly recent: readonly EndedRun[];
  /** These are the tasks of this repository. */
  readonly tasks: readonly Task[];
  /** These are the runs of its tasks, on whatever host. */
  readonly runs: readonly Run[];
  /** These are digests of the runners as they are configured. */
  readonly definitions?: ReadonlyMap<string, string>;
  /** Somebody lifted the pauses of runners at these times. */
  readonly lifts?: ReadonlyMap<string, Instant>;
  /** The host could still give so many bytes. */
  readonly availableMemory: number;
  /** Is true if the host's disk has less left than the operator wants. */
  readonly diskShort?: boolean;
}

/** Takes from the operator's settings the limits on what may start. */
export function limitsFrom(operator: OperatorConfig): RunnerLimits {
  return {
    runners: operator.runners,
    defaultRunner: operator.defaultRunner ?? Object.keys(operator.runners)[0] ?? "",
    overall: operator.slots,
    finishing: operator.finishing,
    shared: operator.store.url !== undefined,
    launchDelayMs: operator.launchDelay,
    fallbackAfterMs: operator.fallbackAfter,
    minFreeMemory: operator.minFreeMemory,
    rest: {
      failures: operator.rest.failures,
      firstMs: operator.rest.first,
      longestMs: operator.rest.longest,
    },
    budget: operator.budget,
  };
}

/** Says what is left of every limit after the present runs are counted. */
export function freeSlots(config: RepoConfig, limits: RunnerLimits, use: SlotUse): FreeSlots {
  const defaultRunner = config.runner ?? limits.defaultRunner;
  const atWork = { ...use, running: use.running.filter(takesSlot) };
  const here = use.runs.filter(takesSlot);
  const overall = limits.overall - atWork.running.length;
  const repository = config.limits.parallel - here.length;
  // If a repository may have every slot of the only server, the server's slots must be what is missing, never the repository's, though the two are counted a moment apart.
  const isOwn = limits.shared !== true && config.limits.parallel >= limits.overall;
  return {
    overall: isOwn ? Math.min(overall, repository) : overall,
    repository,
    ...freeOfRunners(limits, atWork),
    defaultRunner,
    routes: new Map(use.tasks.flatMap((task) => routeFor(task, { ...limits, defaultRunner }))),
    parents: freeOfParents(config.limits.perParent, use.tasks, here),
    memory: freeMemory(limits, use),
  };
}

function freeOfRunners(
  limits: RunnerLimits,
  use: SlotUse,
): Required<Pick<FreeSlots, "runners" | "pausedRunners">> {
  const { running, now, diskShort = false } = use;
  const runners = new Map<string, number>();
  const pausedRunners = new Map<string, RunnerPause>();
  for (const [name, { slots }] of Object.entries(limits.runners)) {
    const { pause, trial } = healthOf(name, limits.rest, use);
    if (pause !== undefined) pausedRunners.set(name, pause);
    if (diskShort) pausedRunners.set(name, fullDisk(now));
    const busy = running.filter(({ runner }) => runner === name).length;
    runners.set(name, (trial ? 1 : slots) - busy);
  }
  return { runners, pausedRunners };
}

/** Says whether the runner of this name takes runs now. */
export function healthOf(
  name: string,
  rules: RestRules,
  use: Pick<SlotUse, "running" | "recent" | "now" | "definitions" | "lifts">,
): RunnerHealth {
  const isOwn = ({ runner }: { readonly runner: string }): boolean => runner === name;
  return runnerHealth({
    running: use.running.filter(isOwn),
    ended: use.recent.filter(isOwn),
    now: use.now,
    rules,
    definition: use.definitions?.get(name),
    liftedAt: use.lifts?.get(name),
  });
}

/** Nobody tells us when the disk has room again, so we look once a minute. */
function fullDisk(now: Instant): { readonly until: Instant; readonly because: string } {
  return { until: instant(now + 60_000), because: "the disk is nearly full" };
}

function routeFor(
  { id, state, spec, changedAt }: Task,
  limits: RunnerLimits,
): readonly (readonly [TaskId, Route])[] {
  if (state !== "waiting" && state !== "blocked" && state !== "review") return [];
  const patientUntil = instant(changedAt + limits.fallbackAfterMs);
  return [[id, { runners: routeOf(spec, limits), patientUntil }]];
}

/** A run that began more recently than this has not taken its memory yet. */
const MEMORY_TAKEN_AFTER_MS = 60_000;

function freeMemory(limits: RunnerLimits, { running, now, availableMemory }: SlotUse): FreeMemory {
  const perRun = new Map(
    Object.entries(limits.runners).map(([name, { memory }]) => [name, memory]),
  );
  const promised = running
    .filter(({ queuedAt }) => now - queuedAt < MEMORY_TAKEN_AFTER_MS)
    .reduce((sum, { runner }) => sum + (perRun.get(runner) ?? 0), 0);
  return { bytes: availableMemory - limits.minFreeMemory - promised, perRun };
}

function freeOfParents(
  limit: number | undefined,
  tasks: readonly Task[],
  here: readonly Run[],
): ReadonlyMap<TaskId, number> {
  const free = new Map<TaskId, number>();
  if (limit === undefined) return free;
  const atWork = new Set(here.map(({ task }) => task));
  for (const { id, spec } of tasks) {
    if (spec.parent === undefined) continue;
    free.set(spec.parent, (free.get(spec.parent) ?? limit) - (atWork.has(id) ? 1 : 0));
  }
  return free;
}
