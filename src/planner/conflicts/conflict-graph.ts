import { claimRules } from "../../domain/claim/claim-rules.ts";
import type { ClaimOptions, ClaimRules } from "../../domain/claim/claim-rules.ts";
import { compileClaims } from "../../domain/claim/compile-claims.ts";
import type { CompiledClaims } from "../../domain/claim/compile-claims.ts";
import { MAX_ALTERNATIVES_PER_TASK } from "../../domain/glob/limits.ts";
import { ConflictIndex } from "./conflict-index.ts";
import { addOwner } from "./conflict-pattern.ts";
import { ConflictRows } from "./conflict-rows.ts";
import { relateConflicts } from "./conflict-search.ts";
import { conflictExample, aloneReason, compileTask } from "./conflict-task.ts";
import type { AloneReason, ClaimingTask } from "./conflict-task.ts";

/** Says which tasks may not run at the same time. A task is named by its position. */
export interface ConflictGraph {
  readonly size: number;
  conflicts(i: number, j: number): boolean;
  /** Gives them in ascending order. */
  neighbours(i: number): Iterable<number>;
  degree(i: number): number;
  /** Says why a task conflicts with every other, if it does. */
  alone(i: number): AloneReason | undefined;
  /** Finds, on demand, a path that both may touch. There is none if they do not conflict or neither names a path. */
  example(i: number, j: number): string | undefined;
}

export interface GraphOptions extends ClaimOptions {
  /** When more patterns than this would have to be compared, those that cost the most are widened to their directory. */
  readonly maxComparisons?: number | undefined;
  /** Relates only tasks that may touch the same path: a task that runs alone is then related to nobody. */
  readonly pathsOnly?: boolean;
}

/** This many fit in memory for 10,000 tasks of hostile patterns: the braces of the largest claims are widened to stay below. */
const MAX_PATTERNS = 500_000;
const MIN_PATTERNS_PER_TASK = 50;

/** So many take about a second; 10,000 real tasks need fewer. */
const MAX_COMPARISONS = 8_000_000;

export function buildConflictGraph(
  tasks: readonly ClaimingTask[],
  options: GraphOptions = {},
): ConflictGraph {
  const rules = claimRules(options);
  const index = new ConflictIndex();
  const alone = indexTasks(index, tasks, { rules, pathsOnly: options.pathsOnly === true });
  const rows = new ConflictRows(tasks.length);
  relateConflicts(index, rows, options.maxComparisons ?? MAX_COMPARISONS);
  const everyone = [...tasks.keys()];
  rows.join(
    everyone.filter((i) => alone[i]),
    everyone,
  );
  return {
    size: tasks.length,
    conflicts: (i, j) => rows.has(i, j),
    neighbours: (i) => rows.neighbours(i),
    degree: (i) => rows.degree(i),
    alone: (i) => alone[i],
    example: (i, j) => {
      const [a, b] = [tasks[i], tasks[j]];
      if (!a || !b || !rows.has(i, j)) return undefined;
      return conflictExample(compileTask(a, rules), compileTask(b, rules));
    },
  };
}

/** Where more than one pair in eight conflicts, looking at every pair is cheaper than listing neighbours. */
const PAIRS_PER_CONFLICT = 8;

export function visitNeighbours(
  graph: ConflictGraph,
  at: number,
  visit: (other: number) => void,
): void {
  if (graph.degree(at) * PAIRS_PER_CONFLICT < graph.size) {
    for (const other of graph.neighbours(at)) visit(other);
    return;
  }
  for (let other = 0; other < graph.size; other += 1) {
    if (graph.conflicts(at, other)) visit(other);
  }
}

/** Fills the index with every task that does not run alone, and says why the others do. */
function indexTasks(
  index: ConflictIndex,
  tasks: readonly ClaimingTask[],
  { rules, pathsOnly }: { readonly rules: ClaimRules; readonly pathsOnly: boolean },
): (AloneReason | undefined)[] {
  const share = Math.max(MIN_PATTERNS_PER_TASK, Math.floor(MAX_PATTERNS / tasks.length));
  const maxAlternatives = Math.min(share, MAX_ALTERNATIVES_PER_TASK);
  return tasks.map((task, i) => {
    const declared = pathsOnly ? undefined : aloneReason(task);
    if (declared) return declared;
    const claims = compileClaims(task.claims, rules, maxAlternatives);
    const alone = pathsOnly ? undefined : claims.alone;
    if (!alone) addClaims(index, claims, i);
    return alone;
  });
}

function addClaims(index: ConflictIndex, claims: CompiledClaims, task: number): void {
  const { writes, reads, exclusions } = claims;
  for (const pattern of writes) addOwner(index.find(pattern, exclusions), "writers", task);
  for (const pattern of reads) addOwner(index.find(pattern, exclusions), "readers", task);
}
