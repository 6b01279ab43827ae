import { describe, expect, it } from "vitest";
import { normal, pick, seededRandom } from "../../../bench/schedule/random.ts";
import { estimateWith, learnDurations } from "../../../src/planner/waves/estimate.ts";
import type { PastRun } from "../../../src/planner/waves/estimate.ts";

const MINUTE = 60_000;

const run = (minutes: number, facts: Partial<PastRun> = {}): PastRun => ({
  durationMs: minutes * MINUTE,
  size: undefined,
  labels: [],
  runner: undefined,
  timedOut: false,
  ...facts,
});
const PLAIN = run(0);

function estimate(
  history: readonly PastRun[],
  task: Parameters<typeof estimateWith>[1],
): ReturnType<typeof estimateWith> {
  return estimateWith(learnDurations(history), task);
}

describe("estimateWith", () => {
  it("says 4:13 when nothing is known", () => {
    expect(estimate([], PLAIN).p50Ms).toBe(253_000);
  });

  it("expects bigger tasks to take longer before any was seen", () => {
    const sizes = (["s", "m", "l", "xl"] as const).map(
      (size) => estimate([], { ...PLAIN, size }).p50Ms,
    );
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  });

  it("believes a few runs a little and many runs a lot", () => {
    const after = (count: number) => estimate(new Array<PastRun>(count).fill(run(20)), PLAIN).p50Ms;
    expect(after(2)).toBe(253_000);
    expect(after(50)).toBe(20 * MINUTE);
  });

  it("tells runners apart", () => {
    const history = Array.from({ length: 40 }, (_, at) =>
      at % 2 === 0 ? run(2, { runner: "codex" }) : run(8, { runner: "claude" }),
    );
    const { p50Ms: codex } = estimate(history, { ...PLAIN, runner: "codex" });
    const { p50Ms: claude } = estimate(history, { ...PLAIN, runner: "claude" });
    expect(claude / codex).toBeGreaterThan(2.5);
  });

  it("does not learn from a short time limit that tasks are short", () => {
    const ended = new Array<PastRun>(30).fill(run(10));
    const cut = new Array<PastRun>(30).fill(run(1, { timedOut: true }));
    expect(estimate([...ended, ...cut], PLAIN).p50Ms).toBeGreaterThanOrEqual(10 * MINUTE);
  });

  it("forgets what is older than two hundred runs", () => {
    const history = [
      ...new Array<PastRun>(500).fill(run(60)),
      ...new Array<PastRun>(200).fill(run(2)),
    ];
    expect(estimate(history, PLAIN).p50Ms).toBe(2 * MINUTE);
  });
});

/** Histories with size, label and runner effects, noise, drift and outliers. */
function drawHistory(seed: number): PastRun[] {
  const random = seededRandom(seed);
  const labels = Array.from({ length: 6 }, (_, at) => ({
    name: `label-${at}`,
    effect: 0.25 * normal(random),
  }));
  const runners = Array.from({ length: 3 }, (_, at) => ({
    name: `runner-${at}`,
    effect: 0.2 * normal(random),
  }));
  const sizes = [
    { name: "s", effect: -0.4 },
    { name: "m", effect: 0 },
    { name: "l", effect: 0.6 },
  ] as const;
  return Array.from({ length: 300 }, (_, at) => {
    const [label, runner, size] = [
      pick(random, labels),
      pick(random, runners),
      pick(random, sizes),
    ];
    const drift = at < 150 ? 0 : -0.2;
    const outlier = random() < 0.03 ? Math.log(3) : 0;
    const log =
      Math.log(253) +
      label.effect +
      runner.effect +
      size.effect +
      drift +
      outlier +
      0.35 * normal(random);
    return run(Math.exp(log) / 60, { size: size.name, labels: [label.name], runner: runner.name });
  });
}

describe("learnDurations", () => {
  const errors: number[] = [];
  const naive: number[] = [];
  let covered = 0;
  for (let seed = 1; seed <= 10; seed += 1) {
    const history = drawHistory(seed);
    for (let at = 0; at < history.length; at += 5) {
      const { p50Ms, p80Ms } = estimateWith(learnDurations(history.slice(0, at)), history[at]!);
      const actual = history[at]!.durationMs;
      errors.push(Math.abs(Math.log(actual / p50Ms)));
      naive.push(Math.abs(Math.log(actual / 253_000)));
      if (actual <= p80Ms) covered += 1;
    }
  }
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

  it("is off by a factor of 1.45 at most, where a constant is off by 1.6 or more", () => {
    expect(Math.exp(mean(errors))).toBeLessThan(1.45);
    expect(Math.exp(mean(naive))).toBeGreaterThan(1.6);
  });

  it("covers four of five runs with p80", () => {
    expect(covered / errors.length).toBeGreaterThan(0.75);
    expect(covered / errors.length).toBeLessThan(0.87);
  });
});
