import type { TaskId } from "../../domain/ids.ts";
import type { Blocked, DependencyFact, PlannableTask } from "../../domain/plan.ts";
import { findCycles, reverse } from "./find-cycles.ts";
import { taskName, taskNames } from "./task-name.ts";

export interface Dependencies {
  /** Lists for each task the positions of the tasks that have to land first. */
  readonly before: readonly (readonly number[])[];
  /** Holds the same relation from the other side. */
  readonly after: readonly (readonly number[])[];
  /** Says for each task why it cannot be planned. */
  readonly causes: readonly (Blocked["cause"] | undefined)[];
  /** Lists the tasks without a cause, dependencies first. */
  readonly topological: readonly number[];
}

/** Tells which tasks can be planned; one that waits for an unplannable task is unplannable too. */
export function resolveDependencies(
  tasks: readonly PlannableTask[],
  facts: ReadonlyMap<TaskId, DependencyFact>,
): Dependencies {
  const positions = positionsById(tasks);
  const before = tasks.map((task) => knownPositions(task, positions));
  const after = reverse(before);
  const causes = tasks.map(
    (task, at) =>
      task.invalid ?? repeatedId(task, at, positions) ?? outsideCause(task, positions, facts),
  );
  const cyclic = markCycles(tasks, before, causes);
  const topological = propagate({ tasks, before, after, causes, cyclic });
  return { before, after, causes, topological };
}

function positionsById(tasks: readonly PlannableTask[]): ReadonlyMap<TaskId, number> {
  const positions = new Map<TaskId, number>();
  tasks.forEach((task, at) => {
    if (!positions.has(task.id)) positions.set(task.id, at);
  });
  return positions;
}

function knownPositions(task: PlannableTask, positions: ReadonlyMap<TaskId, number>) {
  return [...new Set(task.dependsOn)]
    .flatMap((id) => positions.get(id) ?? [])
    .sort((a, b) => a - b);
}

function repeatedId(task: PlannableTask, at: number, positions: ReadonlyMap<TaskId, number>) {
  if (positions.get(task.id) === at) return undefined;
  return { code: "bad-task", reason: `another task is already called ${task.id}` } as const;
}

function outsideCause(
  task: PlannableTask,
  positions: ReadonlyMap<TaskId, number>,
  facts: ReadonlyMap<TaskId, DependencyFact>,
): Blocked["cause"] | undefined {
  const outside = [...new Set(task.dependsOn)].filter((id) => !positions.has(id)).sort();
  for (const id of outside) {
    const cause = causeOfFact(facts.get(id), taskName(id, task.id));
    if (cause !== undefined) return cause;
  }
  return undefined;
}

function causeOfFact(fact: DependencyFact | undefined, name: string): Blocked["cause"] | undefined {
  switch (fact) {
    case "landed":
      return undefined;
    case "failed":
      return { code: "dependency-failed", reason: `depends on ${name}, which failed` };
    case "not-planned":
      return {
        code: "dependency-not-planned",
        reason: `depends on ${name}, which was closed as not planned`,
      };
    case "open":
      return {
        code: "dependency-not-planned",
        reason: `depends on ${name}, which is open but not ready`,
      };
    case undefined:
      return { code: "dependency-unknown", reason: `depends on ${name}, which does not exist` };
  }
}

/** Gives every task in a cycle a cause unless it has one, and says for each position which cycle it is in, if any. */
function markCycles(
  tasks: readonly PlannableTask[],
  before: readonly (readonly number[])[],
  causes: (Blocked["cause"] | undefined)[],
): ReadonlyMap<number, number> {
  const cyclic = new Map<number, number>();
  findCycles(before).forEach((members, cycle) => {
    const reason = cycleReason(members, tasks, before);
    for (const at of members) {
      cyclic.set(at, cycle);
      causes[at] ??= { code: "dependency-cycle", reason };
    }
  });
  return cyclic;
}

function cycleReason(
  members: readonly number[],
  tasks: readonly PlannableTask[],
  before: readonly (readonly number[])[],
): string {
  const idAt = (at: number): TaskId[] => (tasks[at]?.id === undefined ? [] : [tasks[at].id]);
  const inside = new Set(members);
  const ring: number[] = [];
  for (let at = members[0]; at !== undefined && !ring.includes(at) && ring.length < 64;) {
    ring.push(at);
    const next = (before[at] ?? []).filter((to) => inside.has(to));
    at = next.length === 1 ? next[0] : undefined;
  }
  const beside = tasks[members[0] ?? 0]?.id;
  if (beside === undefined) return "dependency cycle";
  if (ring.length < members.length) {
    return `dependency cycle among ${taskNames(members.flatMap(idAt), beside, 12)}`;
  }
  const path = [...ring, ...members.slice(0, 1)].flatMap(idAt).map((id) => taskName(id, beside));
  return `dependency cycle: ${path.join(" → ")}`;
}

interface Propagation {
  readonly tasks: readonly PlannableTask[];
  readonly before: readonly (readonly number[])[];
  readonly after: readonly (readonly number[])[];
  readonly causes: (Blocked["cause"] | undefined)[];
  readonly cyclic: ReadonlyMap<number, number>;
}

/** Walks dependencies first, hands causes down, and returns the tasks that have none in that order. */
function propagate({ tasks, before, after, causes, cyclic }: Propagation): readonly number[] {
  const open = before.map((list, at) => (cyclic.has(at) ? 0 : list.length));
  const queue = tasks.flatMap((_, at) => (open[at] === 0 ? [at] : []));
  for (const at of queue) {
    const source = before[at]?.find((dependency) => causes[dependency] !== undefined);
    if (source !== undefined) causes[at] ??= inherited(at, source, { tasks, causes });
    for (const next of after[at] ?? []) {
      if (cyclic.has(next)) continue;
      open[next] = (open[next] ?? 0) - 1;
      if (open[next] === 0) queue.push(next);
    }
  }
  return queue.filter((at) => causes[at] === undefined);
}

function inherited(
  at: number,
  source: number,
  { tasks, causes }: Pick<Propagation, "tasks" | "causes">,
): Blocked["cause"] {
  const task = tasks[at];
  const blocker = tasks[source];
  const failed = causes[source]?.code === "dependency-failed";
  const name = task && blocker ? taskName(blocker.id, task.id) : "another task";
  return {
    code: failed ? "dependency-failed" : "dependency-not-planned",
    reason: `depends on ${name}, which is blocked itself`,
  };
}
