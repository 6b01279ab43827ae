import type { ClaimOptions } from "../../domain/claim/claim-rules.ts";
import type { TaskId } from "../../domain/ids.ts";
import type { Blocked, DependencyFact, PlannableTask, Priority } from "../../domain/plan.ts";
import { buildConflictGraph, visitNeighbours } from "../conflicts/conflict-graph.ts";
import type { ConflictGraph } from "../conflicts/conflict-graph.ts";
import { resolveDependencies } from "./resolve-dependencies.ts";
import type { Dependencies } from "./resolve-dependencies.ts";

/** Holds the tasks of one repository, prepared for planning and dispatch. Everything refers to tasks by position. */
export interface Backlog {
  /** Tasks are sorted by issue number, so the order in which they were given never matters. */
  readonly tasks: readonly PlannableTask[];
  readonly positions: ReadonlyMap<TaskId, number>;
  readonly dependencies: Dependencies;
  /** A task that runs alone conflicts with every other. */
  readonly graph: ConflictGraph;
  readonly alone: readonly boolean[];
  readonly ranking: Ranking;
  readonly blocked: readonly Blocked[];
}

export interface BacklogOptions {
  /** So many runs may happen at the same time. */
  readonly slots: number;
  readonly facts?: ReadonlyMap<TaskId, DependencyFact>;
  /** These are the repository's own rules for reading claims. */
  readonly claims?: ClaimOptions;
  /** Replaces the usual way to find conflicts. */
  readonly graphOf?: (tasks: readonly PlannableTask[]) => ConflictGraph;
}

export interface Ranking {
  /** 0 is most urgent. A task is as urgent as the most urgent task that waits for it. */
  readonly urgency: Uint8Array;
  /** Is the length of the longest chain of dependents that starts with the task, its own time included. */
  readonly bottomLevel: Float64Array;
  /** Is the total time of the tasks that it keeps out. */
  readonly conflictLoad: Float64Array;
  /** Is the critical path plus the conflict load per slot: the more of the plan hangs on a task, the earlier it starts. */
  readonly key: Float64Array;
  /** Lists the positions, best first. */
  readonly ranked: readonly number[];
  /** Gives each position its place in `ranked`. */
  readonly placeOf: Float64Array;
}

/** Does the work that depends on the tasks only, so that each dispatch decision is cheap. */
export function prepareBacklog(given: readonly PlannableTask[], options: BacklogOptions): Backlog {
  const tasks = given.toSorted((a, b) => a.order - b.order || compareText(a.id, b.id));
  const dependencies = resolveDependencies(tasks, options.facts ?? new Map());
  const graph = options.graphOf?.(tasks) ?? buildConflictGraph(tasks, options.claims);
  const alone = tasks.map((_, at) => graph.alone(at) !== undefined);
  return {
    tasks,
    positions: new Map(tasks.map((task, at) => [task.id, at])),
    dependencies,
    graph,
    alone,
    ranking: rankTasks({ tasks, dependencies, graph, alone, slots: options.slots }),
    blocked: blockedTasks(tasks, dependencies),
  };
}

function blockedTasks(
  tasks: readonly PlannableTask[],
  { causes }: Dependencies,
): readonly Blocked[] {
  return tasks.flatMap((task, at) => {
    const cause = causes[at];
    return cause === undefined ? [] : [{ id: task.id, cause }];
  });
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

interface RankInput {
  readonly tasks: readonly PlannableTask[];
  readonly dependencies: Dependencies;
  readonly graph: ConflictGraph;
  readonly alone: readonly boolean[];
  readonly slots: number;
}

/**
 * Orders tasks by urgency, then key, then waiting time, then issue number. Within an urgency those that run alone come
 * first: an idle repository is the cheapest moment for them, and while it is busy they stand in nobody's way.
 */
function rankTasks(input: RankInput): Ranking {
  const { tasks, slots } = input;
  const { urgency, bottomLevel } = chainValues(input);
  const conflictLoad = conflictLoads(input);
  const key = bottomLevel.map((level, at) => level + (conflictLoad[at] ?? 0) / Math.max(1, slots));
  const since = Float64Array.from(tasks, (task) => task.readySince);
  const together = Uint8Array.from(input.alone, (isAlone) => (isAlone ? 0 : 1));
  const compare = (a: number, b: number): number =>
    rise(urgency, a, b) || rise(together, a, b) || rise(key, b, a) || rise(since, a, b) || a - b;
  const ranked = tasks.map((_, at) => at).sort(compare);
  const placeOf = new Float64Array(tasks.length);
  ranked.forEach((at, place) => (placeOf[at] = place));
  return { urgency, bottomLevel, conflictLoad, key, ranked, placeOf };
}

const CLASSES: Readonly<Record<Priority, number>> = { high: 0, normal: 1, low: 2 };

function rise(values: Uint8Array | Float64Array, from: number, to: number): number {
  return (values[from] ?? 0) - (values[to] ?? 0);
}

function chainValues({ tasks, dependencies }: RankInput) {
  const urgency = Uint8Array.from(tasks, (task) => CLASSES[task.priority]);
  const bottomLevel = Float64Array.from(tasks, (task) => task.estimateMs);
  for (const at of dependencies.topological.toReversed()) {
    let longest = 0;
    for (const next of dependencies.after[at] ?? []) {
      if (dependencies.causes[next] !== undefined) continue;
      longest = Math.max(longest, bottomLevel[next] ?? 0);
      urgency[at] = Math.min(urgency[at] ?? 0, urgency[next] ?? 0);
    }
    bottomLevel[at] = (bottomLevel[at] ?? 0) + longest;
  }
  return { urgency, bottomLevel };
}

function conflictLoads({ tasks, dependencies, graph, alone }: RankInput): Float64Array {
  const loads = new Float64Array(tasks.length);
  const weights = Float64Array.from(tasks, (task, at) =>
    alone[at] === true || dependencies.causes[at] !== undefined ? 0 : task.estimateMs,
  );
  for (const at of dependencies.topological) {
    if (alone[at] === true) continue;
    let load = 0;
    visitNeighbours(graph, at, (other) => (load += weights[other] ?? 0));
    loads[at] = load;
  }
  return loads;
}
