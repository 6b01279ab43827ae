import { instant, taskId } from "../../src/domain/ids.ts";
import type { PlannableTask } from "../../src/domain/plan.ts";
import { prepareBacklog } from "../../src/planner/waves/backlog.ts";
import type { Backlog } from "../../src/planner/waves/backlog.ts";
import { BitGraph } from "./bit-graph.ts";
import { normal, pick, runMs, seededRandom } from "./random.ts";
import type { Random } from "./random.ts";

export interface Shape {
  readonly tasks: number;
  readonly slots: number;
  /** Share of pairs that conflict. */
  readonly density: number;
  /** `modules`: a few popular places that many tasks touch, as in a real repository. */
  readonly conflicts: "random" | "modules";
  /** Mean number of dependencies per task. */
  readonly dependencies: number;
  readonly exclusive: number;
  /** Share of runs that have to be repeated. */
  readonly failures: number;
}

export interface Instance {
  readonly shape: Shape;
  readonly backlog: Backlog;
  readonly actualMs: (at: number) => number;
}

const ESTIMATE_NOISE = 0.4;

export function drawShape(random: Random, typical: boolean): Shape {
  return {
    tasks: pick(random, typical ? [20, 50, 100] : [5, 10, 20, 50, 100, 200]),
    slots: pick(random, typical ? [4, 8] : [2, 4, 8, 16]),
    density: pick(random, typical ? [0.05, 0.1, 0.2] : [0, 0.05, 0.1, 0.2, 0.3, 0.5]),
    conflicts: pick(random, ["random", "modules"] as const),
    dependencies: pick(random, [0, 0.7]),
    exclusive: pick(random, [0, 0.05]),
    failures: pick(random, [0, 0.05, 0.2]),
  };
}

export function drawInstance(seed: number, typical: boolean): Instance {
  const random = seededRandom(seed);
  const shape = drawShape(random, typical);
  const actual = Array.from({ length: shape.tasks }, () => withRetries(random, shape.failures));
  const tasks = actual.map(({ firstMs }, at) => drawTask(at, firstMs, { random, shape }));
  const graph = drawConflicts(random, shape);
  tasks.forEach((task, at) => {
    if (task.exclusive) graph.joinAll(at);
  });
  const backlog = prepareBacklog(tasks, { slots: shape.slots, graphOf: () => graph });
  return { shape, backlog, actualMs: (at) => actual[at]!.totalMs };
}

function withRetries(random: Random, failures: number) {
  const firstMs = runMs(random);
  let totalMs = firstMs;
  for (let tries = 1; tries < 3 && random() < failures; tries += 1) totalMs += runMs(random);
  return { firstMs, totalMs };
}

function drawTask(
  at: number,
  runMsKnown: number,
  { random, shape }: { random: Random; shape: Shape },
): PlannableTask {
  const wanted = at === 0 ? 0 : shape.dependencies * 2 * random();
  const count = Math.floor(wanted) + (random() < wanted % 1 ? 1 : 0);
  const dependsOn = Array.from({ length: count }, () => taskId(`t${Math.floor(random() * at)}`));
  return plainTask(at, {
    dependsOn,
    exclusive: random() < shape.exclusive,
    estimateMs: Math.round(runMsKnown * Math.exp(ESTIMATE_NOISE * normal(random))),
  });
}

export function plainTask(at: number, facts: Partial<PlannableTask>): PlannableTask {
  return {
    id: taskId(`t${at}`),
    order: at,
    title: "",
    claims: [{ mode: "write", pattern: `own/${at}` }],
    dependsOn: [],
    parallelSafe: true,
    exclusive: false,
    priority: "normal",
    size: undefined,
    parent: undefined,
    runner: undefined,
    readySince: instant(0),
    estimateMs: 253_000,
    invalid: undefined,
    ...facts,
  };
}

export function drawConflicts(
  random: Random,
  { tasks, density, conflicts }: Pick<Shape, "tasks" | "density" | "conflicts">,
): BitGraph {
  const graph = new BitGraph(tasks);
  const edges = Math.round((density * tasks * (tasks - 1)) / 2);
  if (conflicts === "random") joinRandomPairs(graph, { random, tasks, edges });
  else joinModules(graph, { random, tasks, edges });
  return graph;
}

interface Drawing {
  readonly random: Random;
  readonly tasks: number;
  readonly edges: number;
}

function joinRandomPairs(graph: BitGraph, { random, tasks, edges }: Drawing): void {
  for (let drawn = 0; drawn < edges;) {
    const i = Math.floor(random() * tasks);
    const j = Math.floor(random() * tasks);
    if (i === j || graph.conflicts(i, j)) continue;
    graph.join(i, j);
    drawn += 1;
  }
}

/** Tasks enter modules, popular ones more often (Zipf), until enough pairs share one. */
function joinModules(graph: BitGraph, { random, tasks, edges }: Drawing): void {
  const modules: Set<number>[] = Array.from({ length: tasks }, () => new Set());
  let joined = 0;
  for (let tries = 0; joined < edges && tries < 50 * tasks; tries += 1) {
    const task = Math.floor(random() * tasks);
    const module = modules[Math.floor(tasks ** random()) - 1]!;
    for (const other of module) {
      if (other === task || graph.conflicts(task, other)) continue;
      graph.join(task, other);
      joined += 1;
    }
    module.add(task);
  }
}
