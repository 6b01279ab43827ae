import type { TaskId } from "../domain/ids.ts";
import type { Blocked, DependencyFact, PlannableTask } from "../domain/plan.ts";
import type { ClaimOptions } from "../domain/claim/claim-rules.ts";
import { buildConflictGraph } from "./conflict-graph.ts";
import type { ConflictGraph } from "./conflict-graph.ts";
import { rankTasks } from "./rank.ts";
import type { Ranking } from "./rank.ts";
import { resolveDependencies } from "./resolve-dependencies.ts";
import type { Dependencies } from "./resolve-dependencies.ts";

/** The tasks of one repository, prepared for planning and dispatch. Everything refers to tasks by position. */
export interface Backlog {
  /** By issue number: the order in which they were given never matters. */
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
  /** Runs that may happen at the same time. */
  readonly slots: number;
  readonly facts?: ReadonlyMap<TaskId, DependencyFact>;
  /** The repository's part in reading claims. */
  readonly claims?: ClaimOptions;
  /** Another way to find conflicts. */
  readonly graphOf?: (tasks: readonly PlannableTask[]) => ConflictGraph;
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
