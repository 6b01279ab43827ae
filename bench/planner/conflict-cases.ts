import { claimRules } from "../../src/domain/claim/claim-rules.ts";
import { buildConflictGraph } from "../../src/planner/conflicts/conflict-graph.ts";
import { compileTask, tasksConflict } from "../../src/planner/conflicts/conflict-task.ts";
import type { ClaimingTask, CompiledTask } from "../../src/planner/conflicts/conflict-task.ts";
import { cpuOf, peakMemoryMb } from "./measure.ts";
import { anywhereTasks, manyStarsTasks, realisticTasks } from "./workload.ts";

export interface ConflictResult {
  readonly tasks: number;
  readonly density: number;
  readonly cpuMs: number;
  readonly peakMb: number;
  /** Comparing all pairs of the same tasks, in the same process. */
  readonly allPairs: { readonly cpuMs: number; readonly sampledRows: number } | undefined;
}

interface ConflictCase {
  readonly label: string;
  readonly tasks: () => ClaimingTask[];
  /** How many tasks to compare with all others; more than there are means all. */
  readonly sampledRows: number;
}

/** Short runs vary: the median of these counts. */
const REPEATED = 5;
/** Enough to extrapolate from where all pairs would take minutes. */
const SAMPLED_ROWS = 150;

export const CONFLICT_CASES: Readonly<Record<string, ConflictCase>> = {
  "graph-100": { label: "100", tasks: () => realisticTasks(100, 30), sampledRows: Infinity },
  "graph-1000": { label: "1,000", tasks: () => realisticTasks(1000, 60), sampledRows: Infinity },
  "graph-10000": {
    label: "10,000 (300 modules)",
    tasks: () => realisticTasks(10_000, 300),
    sampledRows: SAMPLED_ROWS,
  },
  "graph-10000-crowded": {
    label: "10,000 (50 modules)",
    tasks: () => realisticTasks(10_000, 50),
    sampledRows: SAMPLED_ROWS,
  },
  "attack-anywhere": {
    label: "100,000 distinct **/x",
    tasks: () => anywhereTasks(10_000, (i) => `x${i}`),
    sampledRows: 0,
  },
  "attack-anywhere-files": {
    label: "100,000 distinct **/x.ts",
    tasks: () => anywhereTasks(10_000, (i) => `x${i}.ts`),
    sampledRows: 0,
  },
  "attack-anywhere-open": {
    label: "100,000 distinct **/*x.ts",
    tasks: () => anywhereTasks(10_000, (i) => `*x${i}.ts`),
    sampledRows: 0,
  },
  "attack-stars": {
    label: "100,000 of *a × 25",
    tasks: () => manyStarsTasks(10_000),
    sampledRows: 0,
  },
};

export function runConflictCase({ tasks: makeTasks, sampledRows }: ConflictCase): ConflictResult {
  warmUp();
  const tasks = makeTasks();
  const runs = Array.from({ length: tasks.length > 1000 ? 1 : REPEATED }, () =>
    cpuOf(() => buildConflictGraph(tasks)),
  );
  const { value: graph, cpuMs } = runs.toSorted((a, b) => a.cpuMs - b.cpuMs)[runs.length >> 1]!;
  const peakMb = peakMemoryMb();
  const degrees = Array.from(tasks, (_, i) => graph.degree(i)).reduce((sum, n) => sum + n, 0);
  const density = degrees / (tasks.length * (tasks.length - 1));
  return { tasks: tasks.length, density, cpuMs, peakMb, allPairs: compareAll(tasks, sampledRows) };
}

function compareAll(tasks: readonly ClaimingTask[], rows: number): ConflictResult["allPairs"] {
  if (rows === 0) return undefined;
  const rules = claimRules();
  const compile = cpuOf(() => tasks.map((task) => compileTask(task, rules)));
  const sampledRows = Math.min(rows, tasks.length);
  const step = Math.floor(tasks.length / sampledRows);
  const sampled = Array.from({ length: sampledRows }, (_, i) => i * step);
  const { cpuMs } = cpuOf(() => sampled.map((i) => countConflicts(compile.value, i)));
  const pairsAmongSampled = sampled.reduce((sum, i) => sum + i, 0);
  const pairs = (tasks.length * (tasks.length - 1)) / 2;
  return { cpuMs: compile.cpuMs + (cpuMs * pairs) / pairsAmongSampled, sampledRows };
}

/** With the tasks before it, so that each pair is seen once. */
function countConflicts(tasks: readonly CompiledTask[], row: number): number {
  let count = 0;
  for (let i = 0; i < row; i += 1) if (tasksConflict(tasks[row]!, tasks[i]!)) count += 1;
  return count;
}

/** Both ways equally, so that neither pays for compiling the program. */
function warmUp(): void {
  for (let seed = 1; seed <= 6; seed += 1) {
    const tasks = realisticTasks(90 + seed, 20);
    buildConflictGraph(tasks);
    compareAll(tasks, Infinity);
  }
}
