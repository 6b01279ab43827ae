import TinyQueue from "tinyqueue";
import { visitNeighbours } from "../conflicts/conflict-graph.ts";
import type { Backlog } from "./backlog.ts";

/**
 * Assigns waves by first fit: each task, best rank first, goes to the earliest wave after its dependencies that has no
 * conflict. Tasks that already hold their claims are the first wave, whatever they are.
 */
export function assignWaves(
  backlog: Backlog,
  holding: readonly number[] = [],
): readonly (readonly number[])[] {
  const waves: number[][] = holding.length > 0 ? [[...holding]] : [];
  const waveOf = new Int32Array(backlog.tasks.length).fill(-1);
  const closed = [holding.some((at) => backlog.alone[at] === true)];
  const refused = new Int32Array(backlog.tasks.length + 1).fill(-1);
  for (const at of holding) waveOf[at] = 0;
  for (const at of rankedDependenciesFirst(backlog, backlog.ranking.ranked)) {
    if (waveOf[at] === 0 && holding.includes(at)) continue;
    const wave = firstOpenWave(at, backlog, { waves, waveOf, closed, refused });
    (waves[wave] ??= []).push(at);
    waveOf[at] = wave;
    closed[wave] = backlog.alone[at] === true;
  }
  return waves.map((wave) => wave.sort((a, b) => a - b));
}

interface Placement {
  readonly waves: readonly (readonly number[])[];
  readonly waveOf: Int32Array;
  /** A wave is closed if it belongs to a task that runs alone. */
  readonly closed: readonly boolean[];
  /** Remembers for each wave the last task that could not enter it, which is cheaper than a set for each task. */
  readonly refused: Int32Array;
}

function firstOpenWave(at: number, backlog: Backlog, placement: Placement): number {
  const { waves, waveOf, closed, refused } = placement;
  if (backlog.alone[at] === true) return waves.length;
  visitNeighbours(backlog.graph, at, (other) => {
    const wave = waveOf[other] ?? -1;
    if (wave >= 0) refused[wave] = at;
  });
  let wave = 0;
  for (const dependency of backlog.dependencies.before[at] ?? []) {
    wave = Math.max(wave, 1 + (waveOf[dependency] ?? -1));
  }
  while (refused[wave] === at || closed[wave] === true) wave += 1;
  return wave;
}

/** Lists the plannable tasks in the given order, except that a dependency always comes before its dependents. */
export function rankedDependenciesFirst(
  { tasks, dependencies }: Backlog,
  order: readonly number[],
): readonly number[] {
  const placeOf = new Float64Array(tasks.length).fill(Infinity);
  order.forEach((at, place) => (placeOf[at] = place));
  // Two tasks without a place are both at infinity: their difference is not a number, so their positions decide.
  const compare = (a: number, b: number): number => (placeOf[a] ?? 0) - (placeOf[b] ?? 0) || a - b;
  const open = dependencies.before.map((list) => list.length);
  const ready = new TinyQueue<number>([], compare);
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
