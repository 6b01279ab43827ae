import type { TaskId } from "../domain/ids.ts";
import type { Blocked, DependencyFact, PlannableTask } from "../domain/plan.ts";
import type { ConflictGraph } from "./graph.ts";
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
  /** Conflicts between paths. Tasks that run alone conflict with everything besides. */
  readonly graph: ConflictGraph;
  readonly alone: readonly boolean[];
  readonly ranking: Ranking;
  readonly blocked: readonly Blocked[];
}

export interface BacklogOptions {
  /** Runs that may happen at the same time. */
  readonly slots: number;
  readonly facts?: ReadonlyMap<TaskId, DependencyFact>;
  readonly graphOf: (tasks: readonly PlannableTask[]) => ConflictGraph;
}

/** Does the work that depends on the tasks only, so that each dispatch decision is cheap. */
export function prepareBacklog(given: readonly PlannableTask[], options: BacklogOptions): Backlog {
  const tasks = given.toSorted((a, b) => a.order - b.order || compareText(a.id, b.id));
  const dependencies = resolveDependencies(tasks, options.facts ?? new Map());
  const graph = options.graphOf(tasks);
  const alone = tasks.map((task) => runsAlone(task));
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

function runsAlone(task: PlannableTask): boolean {
  return (
    task.exclusive || !task.parallelSafe || !task.claims.some((claim) => claim.mode === "write")
  );
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
