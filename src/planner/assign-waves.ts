import type { Backlog } from "./backlog.ts";
import { MinHeap } from "./min-heap.ts";

/** First-fit: each task, best rank first, goes to the earliest wave after its dependencies that has no conflict. */
export function assignWaves(backlog: Backlog): readonly (readonly number[])[] {
  const waves: number[][] = [];
  const waveOf = new Int32Array(backlog.tasks.length).fill(-1);
  const closed: boolean[] = [];
  for (const at of rankedDependenciesFirst(backlog, backlog.ranking.ranked)) {
    const wave = firstOpenWave(at, backlog, { waves, waveOf, closed });
    (waves[wave] ??= []).push(at);
    waveOf[at] = wave;
    closed[wave] = backlog.alone[at] === true;
  }
  return waves.map((wave) => wave.sort((a, b) => a - b));
}

interface Placement {
  readonly waves: readonly (readonly number[])[];
  readonly waveOf: Int32Array;
  /** Waves of a task that runs alone. */
  readonly closed: readonly boolean[];
}

function firstOpenWave(at: number, backlog: Backlog, { waves, waveOf, closed }: Placement): number {
  if (backlog.alone[at] === true) return waves.length;
  const taken = new Set<number>();
  for (const other of backlog.graph.neighbours(at)) taken.add(waveOf[other] ?? -1);
  let wave = 0;
  for (const dependency of backlog.dependencies.before[at] ?? []) {
    wave = Math.max(wave, 1 + (waveOf[dependency] ?? -1));
  }
  while (taken.has(wave) || closed[wave] === true) wave += 1;
  return wave;
}

/** Plannable tasks in the given order, except that a dependency always comes before its dependents. */
export function rankedDependenciesFirst(
  { tasks, dependencies }: Backlog,
  order: readonly number[],
): readonly number[] {
  const placeOf = new Float64Array(tasks.length).fill(Infinity);
  order.forEach((at, place) => (placeOf[at] = place));
  const precedes = (a: number, b: number): boolean => {
    const difference = (placeOf[a] ?? 0) - (placeOf[b] ?? 0);
    return difference < 0 || (!(difference > 0) && a < b);
  };
  const open = dependencies.before.map((list) => list.length);
  const ready = new MinHeap(precedes);
  for (const at of dependencies.topological) if (open[at] === 0) ready.push(at);
  const sorted: number[] = [];
  for (let at = ready.pop(); at !== undefined; at = ready.pop()) {
    sorted.push(at);
    for (const next of dependencies.after[at] ?? []) {
      open[next] = (open[next] ?? 0) - 1;
      if (open[next] === 0 && dependencies.causes[next] === undefined) ready.push(next);
    }
  }
  return sorted;
}
