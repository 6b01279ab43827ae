import { instant, taskId } from "../src/domain/ids.ts";
import { lowerBoundMs, planBacklog } from "../src/planner/plan-tasks.ts";
import { simulate } from "../src/planner/simulate.ts";
import { decideStarts } from "../src/planner/starts/decide-starts.ts";
import type { Holding } from "../src/planner/starts/decide-starts.ts";
import type { DispatchRules } from "../src/planner/starts/situation.ts";
import { prepareBacklog } from "../src/planner/waves/backlog.ts";
import { firstFitWavesMs } from "./schedule/first-fit-waves.ts";
import { drawConflicts, drawInstance, plainTask } from "./schedule/instance.ts";
import type { Instance } from "./schedule/instance.ts";
import { runMs, seededRandom } from "./schedule/random.ts";
import { openStreamWaits } from "./schedule/starvation.ts";

const INSTANCES = 1000;
const failures: string[] = [];

function check(what: string, value: number, limit: number): void {
  const ok = value <= limit;
  if (!ok) failures.push(what);
  console.log(`${ok ? "PASS" : "FAIL"}  ${what}: ${value.toFixed(3)} (limit ${limit})`);
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

function rollingMs({ backlog, shape, actualMs }: Instance, rules: Partial<DispatchRules> = {}) {
  return simulate(backlog, { slots: shape.slots, from: instant(0), rules, actualMs }).makespanMs;
}

function planOrderMs({ backlog, shape, actualMs }: Instance): number {
  const planOrder = planBacklog(backlog, { slots: shape.slots }).order;
  const options = { slots: shape.slots, from: instant(0), planOrder, actualMs };
  return simulate(backlog, options).makespanMs;
}

interface Row {
  readonly rolling: number;
  readonly planOrder: number;
  readonly barrier: number;
  readonly firstFit: number;
}

function measure(seed: number, typical: boolean): Row {
  const instance = drawInstance(seed, typical);
  const { backlog, shape, actualMs } = instance;
  const bound = lowerBoundMs(backlog, shape.slots, actualMs);
  return {
    rolling: rollingMs(instance) / bound,
    planOrder: planOrderMs(instance) / bound,
    barrier: rollingMs(instance, { schedule: "waves" }) / bound,
    firstFit: firstFitWavesMs(backlog, shape.slots, actualMs) / bound,
  };
}

function compareSchedules(name: string, typical: boolean): readonly Row[] {
  const rows = Array.from({ length: INSTANCES }, (_, at) => measure(at + 1, typical));
  console.log(`\n${name}: ${rows.length} instances, makespan / lower bound (mean, p95)`);
  for (const policy of ["firstFit", "barrier", "planOrder", "rolling"] as const) {
    const values = rows.map((row) => row[policy]);
    console.log(
      `  ${policy.padEnd(10)} ${mean(values).toFixed(3)}  ${quantile(values, 0.95).toFixed(3)}`,
    );
  }
  return rows;
}

function benchMakespan(): void {
  compareSchedules("all shapes", false);
  const rows = compareSchedules("typical shapes", true);
  check("rolling / lower bound, typical", mean(rows.map((row) => row.rolling)), 1.12);
  check(
    "rolling / first-fit waves, typical",
    mean(rows.map((r) => r.rolling)) / mean(rows.map((r) => r.firstFit)),
    0.75,
  );
}

function benchFive(): void {
  console.log("\nfive recorded runs, 23:42 one by one");
  const tasks = [204, 181, 193, 244, 600].map((seconds, at) =>
    plainTask(at, { estimateMs: seconds * 1000 }),
  );
  for (const [slots, limit] of [
    [1, 1422],
    [2, 781],
    [3, 600],
    [4, 600],
    [8, 600],
  ] as const) {
    const graph = drawConflicts(() => 0, { tasks: 5, density: 0, conflicts: "random" });
    const backlog = prepareBacklog(tasks, { slots, graphOf: () => graph });
    check(`${slots} slots, seconds`, planBacklog(backlog, { slots }).makespanMs / 1000, limit);
  }
}

function benchStarvation(): void {
  const stream = { slots: 8, load: 0.8, seeds: 12 };
  const free = openStreamWaits(stream, { reserveAloneAfterMs: Infinity, reserveAfterMs: Infinity });
  const kept = openStreamWaits(stream, {});
  console.log("\nopen stream, 8 slots, load 0.8, 2 % exclusive: minutes waited");
  for (const [name, { all, exclusive }] of [
    ["no reservation", free],
    ["reservation", kept],
  ] as const) {
    const words = [
      mean(all),
      Math.max(...all),
      mean(exclusive),
      quantile(exclusive, 0.95),
      Math.max(...exclusive),
    ];
    console.log(
      `  ${name.padEnd(15)} all mean/max ${words
        .slice(0, 2)
        .map((w) => w.toFixed(1))
        .join(" / ")}, exclusive mean/p95/max ${words
        .slice(2)
        .map((w) => w.toFixed(1))
        .join(" / ")}`,
    );
  }
  check("exclusive wait p95, minutes", quantile(kept.exclusive, 0.95), 45);
}

function benchDecide(): void {
  console.log("\ndecide: CPU per decision, median of 21");
  for (const tasks of [100, 1000, 10_000]) {
    const random = seededRandom(tasks);
    const list = Array.from({ length: tasks }, (_, at) =>
      plainTask(at, { estimateMs: runMs(random) }),
    );
    const graph = drawConflicts(random, { tasks, density: 0.03, conflicts: "random" });
    const backlog = prepareBacklog(list, { slots: 16, graphOf: () => graph });
    const running: Holding[] = decideStarts({
      now: instant(0),
      backlog,
      holding: [],
      slots: { overall: 15 },
    }).starts.map(({ id }) => ({
      id: taskId(id),
      stage: "running",
      expectedEnd: instant(300_000),
    }));
    const times = Array.from({ length: 21 }, () => {
      const before = process.cpuUsage();
      decideStarts({ now: instant(7_200_000), backlog, holding: running, slots: { overall: 1 } });
      const spent = process.cpuUsage(before);
      return (spent.user + spent.system) / 1000;
    });
    console.log(`  ${String(tasks).padStart(6)} tasks: ${quantile(times, 0.5).toFixed(2)} ms`);
    if (tasks === 10_000) check("decide at 10 000 tasks, ms", quantile(times, 0.5), 20);
  }
}

benchFive();
benchDecide();
benchStarvation();
benchMakespan();
process.exitCode = failures.length > 0 ? 1 : 0;
