import TinyQueue from "tinyqueue";
import { visitNeighbours } from "../conflicts/conflict-graph.ts";
import type { Backlog } from "./backlog.ts";

/** Waves with their numbers: the first has the number `first`. A wave in between may have lost all its tasks. */
export interface NumberedWaves {
  readonly first: number;
  readonly waves: readonly (readonly number[])[];
}

/**
 * Assigns waves by first fit: each task, best rank first, goes to the earliest wave after its dependencies that has no
 * conflict. Tasks that already hold their claims are the first wave, whatever they are.
 */
export function assignWaves(
  backlog: Backlog,
  holding: readonly number[] = [],
): readonly (readonly number[])[] {
  return placeInWaves(backlog, holding, () => 0);
}

/**
 * Assigns waves like `assignWaves`, but a task that was given a wave before keeps it, or goes to a later one. So a number means the same
 * from the first plan to the last landing; it begins with 1 again when the repository has had nothing to do.
 */
export function numberWaves(
  backlog: Backlog,
  holding: readonly number[],
  waveOf: (at: number) => number | undefined,
): NumberedWaves {
  // A task that was found at work and never had a wave is in the first.
  const unnumbered = holding.some((at) => waveOf(at) === undefined) ? [1] : [];
  const given = [...unnumbered, ...backlog.tasks.flatMap((_, at) => waveOf(at) ?? [])];
  const first = given.reduce((least, wave) => Math.min(least, wave), given[0] ?? 1);
  const waves = placeInWaves(backlog, holding, (at) => (waveOf(at) ?? first) - first);
  return { first, waves };
}

function placeInWaves(
  backlog: Backlog,
  holding: readonly number[],
  earliest: (at: number) => number,
): readonly (readonly number[])[] {
  const placement = newPlacement(backlog);
  for (const at of holding) put(at, earliest(at), placement);
  for (const at of holding) {
    placement.isHolding[at] = 1;
    placement.lastHolding = Math.max(placement.lastHolding, earliest(at));
    if (backlog.alone[at] === true)
      placement.afterAlone = Math.max(placement.afterAlone, 1 + earliest(at));
  }
  for (const at of rankedDependenciesFirst(backlog, backlog.ranking.ranked)) {
    if (placement.isHolding[at] === 1) continue;
    const wave = firstOpenWave(at, earliest(at), { backlog, placement });
    put(at, wave, placement);
    placement.closed[wave] = backlog.alone[at] === true;
  }
  return placement.waves.map((wave) => wave.sort((a, b) => a - b));
}

interface Placement {
  readonly waves: number[][];
  readonly waveOf: Int32Array;
  readonly isHolding: Uint8Array;
  /** A wave is closed if it belongs to a task that runs alone. */
  readonly closed: boolean[];
  /** Nothing that waits comes before this wave, because a task that runs alone is at work. */
  afterAlone: number;
  /** The last wave that has a task at work; -1 where nothing is. */
  lastHolding: number;
  /** Remembers for each wave the last task that could not enter it, which is cheaper than a set for each task. */
  readonly refused: number[];
}

function newPlacement({ tasks }: Backlog): Placement {
  return {
    waves: [],
    waveOf: new Int32Array(tasks.length).fill(-1),
    isHolding: new Uint8Array(tasks.length),
    closed: [],
    afterAlone: 0,
    lastHolding: -1,
    refused: [],
  };
}

function put(at: number, wave: number, { waves, waveOf }: Placement): void {
  while (waves.length <= wave) waves.push([]);
  waves[wave]?.push(at);
  waveOf[at] = wave;
}

function firstOpenWave(
  at: number,
  earliest: number,
  { backlog, placement }: { readonly backlog: Backlog; readonly placement: Placement },
): number {
  const { waveOf, isHolding, closed, refused } = placement;
  if (backlog.alone[at] === true) return firstEmptyWave(at, earliest, { backlog, placement });
  let wave = Math.max(earliest, placement.afterAlone);
  visitNeighbours(backlog.graph, at, (other) => {
    const taken = waveOf[other] ?? -1;
    if (taken < 0) return;
    refused[taken] = at;
    // Whoever is at work ends first, in whichever wave it began.
    if (isHolding[other] === 1) wave = Math.max(wave, 1 + taken);
  });
  for (const dependency of backlog.dependencies.before[at] ?? []) {
    wave = Math.max(wave, 1 + (waveOf[dependency] ?? -1));
  }
  while (refused[wave] === at || closed[wave] === true) wave += 1;
  return wave;
}

/** A task that runs alone comes after everything at work. It takes a wave that nobody else has, so that its number does not grow when its rank changes. */
function firstEmptyWave(
  at: number,
  earliest: number,
  { backlog, placement }: { readonly backlog: Backlog; readonly placement: Placement },
): number {
  const { waves, waveOf, lastHolding } = placement;
  const before = backlog.dependencies.before[at] ?? [];
  const needed = before.reduce((last, other) => Math.max(last, waveOf[other] ?? -1), lastHolding);
  let wave = Math.max(earliest, 1 + needed);
  while ((waves[wave]?.length ?? 0) > 0) wave += 1;
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
