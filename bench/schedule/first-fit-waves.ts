import type { Backlog } from "../../src/planner/waves/backlog.ts";

/** The usual way, for comparison: first-fit waves in issue order, each a barrier, its tasks in issue order over the slots. */
export function firstFitWavesMs(
  backlog: Backlog,
  slots: number,
  actualMs: (at: number) => number,
): number {
  const waves: number[][] = [];
  const waveOf = new Map<number, number>();
  for (const at of backlog.dependencies.topological.toSorted((a, b) => a - b)) {
    const before = backlog.dependencies.before[at] ?? [];
    let wave = Math.max(0, ...before.map((other) => 1 + (waveOf.get(other) ?? -1)));
    while (waves[wave]?.some((other) => backlog.graph.conflicts(at, other))) wave += 1;
    (waves[wave] ??= []).push(at);
    waveOf.set(at, wave);
  }
  return waves.reduce((total, wave) => total + waveMs(wave, slots, actualMs), 0);
}

function waveMs(wave: readonly number[], slots: number, actualMs: (at: number) => number): number {
  const busyUntil = new Array<number>(slots).fill(0);
  for (const at of wave) {
    const first = busyUntil.indexOf(Math.min(...busyUntil));
    busyUntil[first]! += actualMs(at);
  }
  return Math.max(...busyUntil);
}
