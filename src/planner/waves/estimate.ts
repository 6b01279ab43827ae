import type { Size } from "../../domain/plan.ts";

/** Says how long one run took. */
export interface PastRun {
  readonly durationMs: number;
  readonly size: Size | undefined;
  readonly labels: readonly string[];
  readonly runner: string | undefined;
  /** Is true if the time limit ended the run: it would have taken longer, and nobody knows how much. */
  readonly timedOut: boolean;
}

export interface Estimate {
  /** It is used for order and backfill. */
  readonly p50Ms: number;
  /** It is what people are told, and the floor of time limits. It is never a reason to end a run. */
  readonly p80Ms: number;
}

export type Traits = Pick<PastRun, "size" | "labels" | "runner">;

/** These are the geometric mean of five recorded runs, and the spread of their logarithms. */
const PRIOR_MS = 253_000;
const PRIOR_SPREAD = 0.495;
/** The prior counts as this many runs. */
const PRIOR_RUNS = 3;
/** An effect that was seen n times is believed n / (n + 4). */
const SHRINK_RUNS = 4;
const MAX_RECENT_RUNS = 200;
/** 0.84 standard deviations are the 80th percentile; 1.4826 turns a median deviation into a standard one. */
const P80 = 0.8416;
const MAD_TO_SIGMA = 1.4826;
const SIZE_PRIOR: Readonly<Record<Size, number>> = { s: -0.4, m: 0, l: 0.6, xl: 1.1 };

type Dimension = "size" | "label" | "runner";
type Effects = Record<Dimension, ReadonlyMap<string, number>>;
const DIMENSIONS: readonly Dimension[] = ["size", "label", "runner"];

/** Holds what the recent runs say, ready to be asked about many tasks. */
export interface EstimateModel {
  readonly center: number;
  readonly effects: Readonly<Effects>;
  readonly spread: number;
}

/** `history` is oldest first. Runs that failed for reasons outside the task do not belong in it. A run that the clock ended counts as at least the 80th percentile of the others: short time limits teach nothing. */
export function learnDurations(history: readonly PastRun[]): EstimateModel {
  const recent = history.slice(-MAX_RECENT_RUNS).filter((run) => run.durationMs > 0);
  const ended = fit(recent.filter((run) => !run.timedOut));
  if (recent.every((run) => !run.timedOut)) return ended;
  return fit(
    recent.map((run) =>
      run.timedOut
        ? { ...run, durationMs: Math.max(run.durationMs, estimateWith(ended, run).p80Ms) }
        : run,
    ),
  );
}

/** Takes shrunk medians on the log scale, one trait after the other, each on what the ones before leave over. */
function fit(runs: readonly PastRun[]): EstimateModel {
  const logs = runs.map((run) => Math.log(run.durationMs) - sizePrior(run.size));
  const center = median([...logs, ...new Array<number>(PRIOR_RUNS).fill(Math.log(PRIOR_MS))]);
  const effects: Effects = { size: new Map(), label: new Map(), runner: new Map() };
  let rest = logs.map((value) => value - center);
  for (const dimension of DIMENSIONS) {
    const effect = shrunkMedians(runs, dimension, rest);
    effects[dimension] = effect;
    rest = rest.map((value, at) => value - effectOf(effect, levelsOf(runs[at], dimension)));
  }
  return { center, effects, spread: spreadOf(rest) };
}

export function estimateWith(model: EstimateModel, task: Traits): Estimate {
  let log = model.center + sizePrior(task.size);
  for (const dimension of DIMENSIONS) {
    log += effectOf(model.effects[dimension], levelsOf(task, dimension));
  }
  return {
    p50Ms: Math.round(Math.exp(log)),
    p80Ms: Math.round(Math.exp(log + P80 * model.spread)),
  };
}

function sizePrior(size: Size | undefined): number {
  return size === undefined ? 0 : SIZE_PRIOR[size];
}

function levelsOf(traits: Traits | undefined, dimension: Dimension): readonly string[] {
  if (traits === undefined) return [];
  if (dimension === "label") return traits.labels;
  const level = dimension === "size" ? traits.size : traits.runner;
  return level === undefined ? [] : [level];
}

function shrunkMedians(runs: readonly PastRun[], dimension: Dimension, rest: readonly number[]) {
  const seen = new Map<string, number[]>();
  runs.forEach((run, at) => {
    for (const level of levelsOf(run, dimension)) {
      const values = seen.get(level) ?? [];
      values.push(rest[at] ?? 0);
      seen.set(level, values);
    }
  });
  return new Map(
    [...seen].map(([level, values]) => [
      level,
      (median(values) * values.length) / (values.length + SHRINK_RUNS),
    ]),
  );
}

/** Takes the mean over the levels that are known: a task with three labels is not three times as unusual. */
function effectOf(effect: ReadonlyMap<string, number>, levels: readonly string[]): number {
  const known = levels.flatMap((level) => effect.get(level) ?? []);
  return known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
}

function spreadOf(rest: readonly number[]): number {
  const seen = rest.length === 0 ? 0 : MAD_TO_SIGMA * median(rest.map(Math.abs));
  return (seen * rest.length + PRIOR_SPREAD * PRIOR_RUNS) / (rest.length + PRIOR_RUNS);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
