import type { Backlog } from "./backlog.ts";

/** Cliques are grown from this many starting points; more hardly ever find a heavier one. */
const SEEDS = 32;

/**
 * A time that no schedule can beat: the longest chain of dependencies, or the tasks that run alone plus the larger
 * of the work per slot and the heaviest set found of tasks that all conflict with each other.
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
  const cliqueMs = Math.max(
    0,
    ...seeds(together, durationMs).map((at) => cliqueWeight(at, backlog, durationMs)),
  );
  return Math.max(
    criticalPathMs(backlog, durationMs),
    aloneMs + Math.max(sum(together) / slots, cliqueMs),
  );
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

function seeds(together: readonly number[], durationMs: (at: number) => number) {
  return together.toSorted((a, b) => durationMs(b) - durationMs(a) || a - b).slice(0, SEEDS);
}

function cliqueWeight(seed: number, backlog: Backlog, durationMs: (at: number) => number): number {
  const clique = [seed];
  let weight = durationMs(seed);
  const neighbours = [...backlog.graph.neighbours(seed)]
    .filter((at) => backlog.alone[at] !== true && backlog.dependencies.causes[at] === undefined)
    .sort((a, b) => durationMs(b) - durationMs(a) || a - b);
  for (const at of neighbours) {
    if (!clique.every((member) => backlog.graph.conflicts(at, member))) continue;
    clique.push(at);
    weight += durationMs(at);
  }
  return weight;
}
