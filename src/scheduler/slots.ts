import type { RepoConfig } from "../config/schema.ts";
import type { Budget } from "../domain/budget.ts";
import type { EndedRun } from "../domain/ended-run.ts";
import { instant } from "../domain/ids.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import { takesSlot } from "../domain/run.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { FreeMemory, FreeSlots, Route } from "../planner/slot-ledger.ts";
import { runnerHealth } from "./runner-health.ts";
import type { RestRules } from "./runner-health.ts";
import { routeOf } from "./routes.ts";
import type { RoutedRunner } from "./routes.ts";

export interface PooledRunner extends RoutedRunner {
  readonly slots: number;
  /** Bytes that one run needs. */
  readonly memory: number;
}

export interface RunnerLimits {
  readonly runners: Readonly<Record<string, PooledRunner>>;
  readonly defaultRunner: string;
  readonly overall: number;
  /** Runs that are collected, verified and pushed at the same time. */
  readonly finishing: number;
  /** Other servers may have room where this one has none. */
  readonly shared?: boolean;
  readonly launchDelayMs: number;
  readonly fallbackAfterMs: number;
  /** Bytes that stay free. */
  readonly minFreeMemory: number;
  readonly rest: RestRules;
  readonly budget: { readonly perTask: Budget; readonly perDay: Budget };
}

export interface SlotUse {
  readonly now: Instant;
  /** Runs under way on this host, in any repository. */
  readonly running: readonly Run[];
  /** Runs of the last day, of any repository. */
  readonly recent: readonly EndedRun[];
  /** Tasks of this repository. */
  readonly tasks: readonly Task[];
  /** Runs of its tasks, wherever they are made. */
  readonly runs: readonly Run[];
  /** Bytes that the host could still give. */
  readonly availableMemory: number;
  /** The host's disk has less left than the operator wants. */
  readonly diskShort?: boolean;
}

/** What is left of every limit once the present runs are counted. */
export function freeSlots(config: RepoConfig, limits: RunnerLimits, use: SlotUse): FreeSlots {
  const defaultRunner = config.runner ?? limits.defaultRunner;
  const atWork = { ...use, running: use.running.filter(takesSlot) };
  const here = use.runs.filter(takesSlot);
  const overall = limits.overall - atWork.running.length;
  const repository = config.limits.parallel - here.length;
  // A repository that may have every slot of the only server is never what lacks one, though the two are counted a moment apart.
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
  { running, recent, now, diskShort = false }: SlotUse,
): Required<Pick<FreeSlots, "runners" | "pausedRunners">> {
  const runners = new Map<string, number>();
  const pausedRunners = new Map<string, { until: Instant; because: string }>();
  for (const [name, { slots }] of Object.entries(limits.runners)) {
    const ofRunner = { running: running.filter(({ runner }) => runner === name) };
    const ended = recent.filter(({ runner }) => runner === name);
    const { pause, trial } = runnerHealth({ ...ofRunner, ended, now, rules: limits.rest });
    if (pause !== undefined) pausedRunners.set(name, pause);
    if (diskShort) pausedRunners.set(name, fullDisk(now));
    runners.set(name, (trial ? 1 : slots) - ofRunner.running.length);
  }
  return { runners, pausedRunners };
}

/** Nobody tells when there is room again: looked at once a minute. */
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

/** A run that began a moment ago has not taken its memory yet. */
const SETTLED_AFTER_MS = 60_000;

function freeMemory(limits: RunnerLimits, { running, now, availableMemory }: SlotUse): FreeMemory {
  const perRun = new Map(
    Object.entries(limits.runners).map(([name, { memory }]) => [name, memory]),
  );
  const promised = running
    .filter(({ queuedAt }) => now - queuedAt < SETTLED_AFTER_MS)
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
