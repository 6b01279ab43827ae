import { instant } from "../domain/ids.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import type { Plan, PlannableTask } from "../domain/plan.ts";
import { simulate } from "./simulate.ts";
import type { Holding } from "./starts/decide-starts.ts";
import type { DispatchRules } from "./starts/situation.ts";
import { assignWaves } from "./waves/assign-waves.ts";
import { prepareBacklog } from "./waves/backlog.ts";
import type { Backlog, BacklogOptions } from "./waves/backlog.ts";

export interface PlanOptions extends BacklogOptions {
  readonly rules?: Partial<DispatchRules>;
  /** The schedule starts at this moment. Without it, it starts when the last task became ready. */
  readonly now?: Instant;
  /** These tasks hold their claims already, so they come first. */
  readonly holding?: readonly Holding[];
}

/** Makes the same plan whatever the order in which the tasks are given. */
export function planTasks(tasks: readonly PlannableTask[], options: PlanOptions): Plan {
  return planBacklog(prepareBacklog(tasks, options), options);
}

export function planBacklog(
  backlog: Backlog,
  options: Omit<PlanOptions, keyof BacklogOptions> & Pick<PlanOptions, "slots">,
): Plan {
  const from = options.now ?? latestReady(backlog);
  const { schedule, makespanMs } = simulate(backlog, { ...options, from });
  const held = (options.holding ?? []).flatMap(({ id }) => backlog.positions.get(id) ?? []);
  return {
    waves: assignWaves(backlog, held).map((wave) => wave.flatMap((at) => idAt(backlog, at))),
    blocked: backlog.blocked,
    order: schedule.map(({ id }) => id),
    schedule,
    makespanMs,
    lowerBoundMs: lowerBoundMs(backlog, options.slots),
  };
}

/**
 * Computes a time that no schedule can beat. It is the longest chain of dependencies, or the time of the tasks that run
 * alone plus the larger of two: the work per slot, and the heaviest set found of tasks that all conflict with each
 * other.
 */
export function lowerBoundMs(
  backlog: Backlog,
  slots: number,
  durationMs: (at: number) => number = (at) => backlog.tasks[at]?.estimateMs ?? 0,
): number {
  const planned = backlog.dependencies.topological;
  const sum = (list: readonly number[]): number =>
    list.reduce((total, at) => total + durationMs(at), 0);
  const together = planned.filter((at) => backlog.alone[at] !== true);
  const aloneMs = sum(planned) - sum(together);
  const cliqueMs = heaviestCliqueMs(together, backlog, durationMs);
  return Math.max(
    criticalPathMs(backlog, durationMs),
    aloneMs + Math.max(sum(together) / slots, cliqueMs),
  );
}

function latestReady({ tasks }: Backlog): Instant {
  return tasks.reduce(
    (latest, { readySince }) => (readySince > latest ? readySince : latest),
    instant(0),
  );
}

function idAt({ tasks }: Backlog, at: number): readonly TaskId[] {
  const task = tasks[at];
  return task === undefined ? [] : [task.id];
}

function criticalPathMs({ dependencies }: Backlog, durationMs: (at: number) => number): number {
  const endMs = new Map<number, number>();
  let longest = 0;
  for (const at of dependencies.topological) {
    const before = dependencies.before[at] ?? [];
    const startMs = before.reduce((latest, other) => Math.max(latest, endMs.get(other) ?? 0), 0);
    endMs.set(at, startMs + durationMs(at));
    longest = Math.max(longest, startMs + durationMs(at));
  }
  return longest;
}

/** Cliques are grown from this many starting points; more hardly ever find a heavier one. */
const MAX_CLIQUE_SEEDS = 32;

/** Grows a clique from each of the longest tasks. A task that is in an earlier clique is skipped: its clique would be much the same. */
function heaviestCliqueMs(
  together: readonly number[],
  backlog: Backlog,
  durationMs: (at: number) => number,
): number {
  const longestFirst = together.toSorted((a, b) => durationMs(b) - durationMs(a) || a - b);
  const seen = new Set<number>();
  let heaviest = 0;
  for (const seed of longestFirst.slice(0, MAX_CLIQUE_SEEDS)) {
    if (seen.has(seed)) continue;
    const neighbours = longestFirst.filter((at) => backlog.graph.conflicts(seed, at));
    const clique = growClique(seed, neighbours, backlog);
    heaviest = Math.max(
      heaviest,
      clique.reduce((sum, at) => sum + durationMs(at), 0),
    );
    for (const at of clique) seen.add(at);
  }
  return heaviest;
}

function growClique(seed: number, neighbours: readonly number[], { graph }: Backlog) {
  const clique = [seed];
  for (const at of neighbours) {
    if (clique.every((member) => graph.conflicts(member, at))) clique.push(at);
  }
  return clique;
}
