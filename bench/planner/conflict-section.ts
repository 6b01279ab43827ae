import { CONFLICT_CASES } from "./conflict-cases.ts";
import type { ConflictResult } from "./conflict-cases.ts";
import { inOwnProcess } from "./measure.ts";
import { msText, tableText } from "./report.ts";
import type { Goal } from "./report.ts";

const MAX_CPU_MS = 5000;
const MAX_PEAK_MB = 300;
const MIN_RATIO_AT_1000 = 10;

/** The conflict graph beside all pairs, and under attack. */
export async function conflictSection(script: string): Promise<readonly Goal[]> {
  const results = new Map<string, ConflictResult>();
  for (const name of Object.keys(CONFLICT_CASES)) {
    results.set(name, await inOwnProcess<ConflictResult>(script, name));
  }
  console.log(
    "Conflict graph, 10 patterns a task (CPU, compiling included; peak memory of the whole process)\n",
  );
  console.log(tableText([HEADINGS, ...Array.from(results, ([name, result]) => row(name, result))]));
  console.log(
    `\n* extrapolated from comparing some tasks with all before them: all of them would take minutes\n`,
  );
  console.log(growthText(results));
  return goals(results);
}

function growthText(results: ReadonlyMap<string, ConflictResult>): string {
  const [small, large] = ["graph-1000", "graph-10000"].map(
    (name) => results.get(name)?.cpuMs ?? NaN,
  );
  return `10 × the tasks (1,000 to 10,000) take ${((large ?? NaN) / (small ?? NaN)).toFixed(1)} × the CPU; all pairs would take 100 ×\n`;
}

const HEADINGS = ["tasks", "density", "index", "all pairs", "ratio", "peak memory"];

function row(name: string, result: ConflictResult): string[] {
  const { allPairs, tasks } = result;
  const isSampled = allPairs !== undefined && allPairs.sampledRows < tasks;
  return [
    CONFLICT_CASES[name]?.label ?? name,
    result.density.toFixed(3),
    msText(result.cpuMs),
    allPairs ? msText(allPairs.cpuMs) + (isSampled ? "*" : "") : "",
    allPairs ? `${ratioOf(result).toFixed(1)}×` : "",
    `${result.peakMb.toFixed(0)} MB`,
  ];
}

function ratioOf({ allPairs, cpuMs }: ConflictResult): number {
  return allPairs ? allPairs.cpuMs / cpuMs : NaN;
}

function goals(results: ReadonlyMap<string, ConflictResult>): readonly Goal[] {
  return Array.from(results).flatMap(([name, result]) => {
    if (name === "graph-1000") return [ratioGoal(result)];
    return result.tasks >= 10_000 ? [limitGoal(CONFLICT_CASES[name]?.label ?? name, result)] : [];
  });
}

function ratioGoal(result: ConflictResult): Goal {
  const ratio = ratioOf(result);
  return {
    text: `1,000 tasks take at least ${MIN_RATIO_AT_1000}× less CPU than all pairs`,
    isMet: ratio >= MIN_RATIO_AT_1000,
    measured: `${ratio.toFixed(1)}×`,
  };
}

function limitGoal(label: string, { cpuMs, peakMb }: ConflictResult): Goal {
  return {
    text: `${label} stays under ${MAX_CPU_MS / 1000} s and ${MAX_PEAK_MB} MB`,
    isMet: cpuMs < MAX_CPU_MS && peakMb < MAX_PEAK_MB,
    measured: `${msText(cpuMs)}, ${peakMb.toFixed(0)} MB`,
  };
}
