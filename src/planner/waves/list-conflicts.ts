import { claimRules } from "../../domain/claim/claim-rules.ts";
import type { ClaimOptions } from "../../domain/claim/claim-rules.ts";
import { claimsConflict } from "../../domain/claim/claims-conflict.ts";
import { compileClaims } from "../../domain/claim/compile-claims.ts";
import type { Conflict } from "../../domain/plan.ts";
import { buildConflictGraph } from "../conflicts/conflict-graph.ts";
import type { ConflictGraph } from "../conflicts/conflict-graph.ts";
import type { Backlog } from "./backlog.ts";

export interface ListedConflicts {
  readonly conflicts: readonly Conflict[];
  /** Counts the pairs that come after these and were not looked at. */
  readonly leftOut: number;
}

type Pair = readonly [number, number];

/** Lists the first `max` pairs of plannable tasks that may touch the same path, with such a path. Running alone is not a conflict. */
export function listConflicts(
  backlog: Backlog,
  options: ClaimOptions = {},
  max = Infinity,
): ListedConflicts {
  const { tasks, dependencies } = backlog;
  const isPlannable = tasks.map((_, at) => dependencies.causes[at] === undefined);
  const graph = graphOfPaths(backlog, options);
  const pairs = firstPairs(graph, isPlannable, max);
  const rules = claimRules(options);
  const compiled = new Map(
    [...new Set(pairs.flat())].map((at) => [at, compileClaims(tasks[at]?.claims ?? [], rules)]),
  );
  const conflicts = pairs.flatMap(([i, j]) => {
    const [a, b, mine, theirs] = [tasks[i], tasks[j], compiled.get(i), compiled.get(j)];
    if (!a || !b || !mine || !theirs) return [];
    const example = claimsConflict(mine, theirs);
    return example === undefined ? [] : [{ a: a.id, b: b.id, example }];
  });
  return { conflicts, leftOut: countPairs(graph, isPlannable) - pairs.length };
}

/** The backlog's own graph relates a task that runs alone to every other, so such a backlog needs another graph. */
function graphOfPaths({ tasks, graph, alone }: Backlog, options: ClaimOptions): ConflictGraph {
  return alone.includes(true) ? buildConflictGraph(tasks, { ...options, pathsOnly: true }) : graph;
}

function firstPairs(
  graph: ConflictGraph,
  isPlannable: readonly boolean[],
  max: number,
): readonly Pair[] {
  const pairs: Pair[] = [];
  for (const [i, mayRun] of isPlannable.entries()) {
    if (!mayRun) continue;
    if (pairs.length >= max) break;
    for (const j of graph.neighbours(i)) {
      if (pairs.length < max && j > i && isPlannable[j] === true) pairs.push([i, j]);
    }
  }
  return pairs;
}

/** Counts from the degrees, because there may be millions of pairs. A pair that ends at a blocked task was counted once, every other pair twice. */
function countPairs(graph: ConflictGraph, isPlannable: readonly boolean[]): number {
  const toPlannable = (i: number): number =>
    [...graph.neighbours(i)].filter((j) => isPlannable[j]).length;
  const ends = isPlannable.map((mayRun, i) => (mayRun ? graph.degree(i) : -toPlannable(i)));
  return ends.reduce((sum, count) => sum + count, 0) / 2;
}
