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
  const cliqueMs = heaviestCliqueMs(together, backlog, durationMs);
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

/** Grows a clique from each of the longest tasks; one that is in an earlier clique would grow much the same. */
function heaviestCliqueMs(
  together: readonly number[],
  backlog: Backlog,
  durationMs: (at: number) => number,
): number {
  const longestFirst = together.toSorted((a, b) => durationMs(b) - durationMs(a) || a - b);
  const seen = new Set<number>();
  let heaviest = 0;
  for (const seed of longestFirst.slice(0, SEEDS)) {
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
