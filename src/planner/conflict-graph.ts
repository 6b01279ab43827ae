import type { ClaimOptions, ClaimRules } from "../domain/claim/claim-rules.ts";
import { claimRules } from "../domain/claim/claim-rules.ts";
import type { CompiledClaims } from "../domain/claim/compile-claims.ts";
import { compileClaims } from "../domain/claim/compile-claims.ts";
import { MAX_ALTERNATIVES_PER_TASK } from "../domain/claim/limits.ts";
import { conflictExample } from "./conflict-example.ts";
import { ConflictIndex } from "./conflict-index.ts";
import { addOwner } from "./conflict-pattern.ts";
import { ConflictRows } from "./conflict-rows.ts";
import { relateConflicts } from "./conflict-search.ts";
import type { AloneReason, ClaimingTask } from "./conflict-task.ts";
import { aloneReason, compileTask } from "./conflict-task.ts";

/** Which tasks may not run at the same time; tasks are named by their position. */
export interface ConflictGraph {
  readonly size: number;
  conflicts(i: number, j: number): boolean;
  /** In ascending order. */
  neighbours(i: number): Iterable<number>;
  degree(i: number): number;
  /** Why a task conflicts with every other, if it does. */
  alone(i: number): AloneReason | undefined;
  /** A path that both may touch; nothing if they do not conflict or neither names a path. Found on demand. */
  example(i: number, j: number): string | undefined;
}

/** Keeps 10,000 tasks of hostile patterns in memory: braces of the largest claims are widened. */
const MAX_PATTERNS = 500_000;
const FEWEST_PATTERNS_PER_TASK = 50;

export interface GraphOptions extends ClaimOptions {
  /** Beyond so many comparisons of patterns, the ones that need the most are widened to their directory. */
  readonly maxComparisons?: number | undefined;
  /** Only who may touch the same path: running alone relates a task to nobody. */
  readonly pathsOnly?: boolean;
}

/** About a second; 10,000 real tasks need less. */
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

/** Fills the index with every task that does not run alone, and says why the others do. */
function indexTasks(
  index: ConflictIndex,
  tasks: readonly ClaimingTask[],
  { rules, pathsOnly }: { readonly rules: ClaimRules; readonly pathsOnly: boolean },
): (AloneReason | undefined)[] {
  const share = Math.max(FEWEST_PATTERNS_PER_TASK, Math.floor(MAX_PATTERNS / tasks.length));
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
