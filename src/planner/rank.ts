import type { PlannableTask, Priority } from "../domain/plan.ts";
import type { ConflictGraph } from "./conflict-graph.ts";
import type { Dependencies } from "./resolve-dependencies.ts";

const CLASSES: Readonly<Record<Priority, number>> = { high: 0, normal: 1, low: 2 };

export interface Ranking {
  /** 0 is most urgent. A task is as urgent as the most urgent task that waits for it. */
  readonly urgency: Uint8Array;
  /** Length of the longest chain of dependents that starts with the task, its own time included. */
  readonly bottomLevel: Float64Array;
  /** Total time of the tasks that it keeps out. */
  readonly conflictLoad: Float64Array;
  /** Critical path plus conflict load per slot: the more of the plan hangs on a task, the earlier it starts. */
  readonly key: Float64Array;
  /** Positions, best first. */
  readonly ranked: readonly number[];
  /** Positions by waiting time, then rank: whoever is overdue is near the front. */
  readonly eldest: { readonly alone: readonly number[]; readonly others: readonly number[] };
}

export interface RankInput {
  readonly tasks: readonly PlannableTask[];
  readonly dependencies: Dependencies;
  readonly graph: ConflictGraph;
  readonly alone: readonly boolean[];
  readonly slots: number;
}

/** Orders tasks by urgency, then key, then waiting time, then issue number. */
export function rankTasks(input: RankInput): Ranking {
  const { tasks, slots } = input;
  const { urgency, bottomLevel } = chainValues(input);
  const conflictLoad = conflictLoads(input);
  const key = bottomLevel.map((level, at) => level + (conflictLoad[at] ?? 0) / Math.max(1, slots));
  const since = Float64Array.from(tasks, (task) => task.readySince);
  const compare = (a: number, b: number): number =>
    rise(urgency, a, b) || rise(key, b, a) || rise(since, a, b) || a - b;
  const ranked = tasks.map((_, at) => at).sort(compare);
  const byAge = ranked.toSorted((a, b) => rise(since, a, b));
  const eldest = {
    alone: byAge.filter((at) => input.alone[at] === true),
    others: byAge.filter((at) => input.alone[at] !== true),
  };
  return { urgency, bottomLevel, conflictLoad, key, ranked, eldest };
}

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
  for (const at of dependencies.topological) {
    if (alone[at] === true) continue;
    let load = 0;
    for (const other of graph.neighbours(at)) {
      if (alone[other] === true || dependencies.causes[other] !== undefined) continue;
      load += tasks[other]?.estimateMs ?? 0;
    }
    loads[at] = load;
  }
  return loads;
}
