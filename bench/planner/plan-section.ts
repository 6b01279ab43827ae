import { instant, taskId } from "../../src/domain/ids.ts";
import type { PlannableTask } from "../../src/domain/plan.ts";
import { planBacklog } from "../../src/planner/plan-tasks.ts";
import { decideStarts } from "../../src/planner/starts/decide-starts.ts";
import { prepareBacklog } from "../../src/planner/waves/backlog.ts";
import { listConflicts } from "../../src/planner/waves/list-conflicts.ts";
import { cpuOf, inOwnProcess, peakMemoryMb } from "./measure.ts";
import { msText, tableText } from "./report.ts";
import type { Goal } from "./report.ts";
import { realisticTasks } from "./workload.ts";

const SLOTS = 8;
const MAX_PLAN_MS = 5000;
const MAX_PEAK_MB = 300;
const MAX_DECIDE_MS = 20;
/** As many as `wavetrain plan --json` lists unless told otherwise. */
const LISTED = 1000;
/** Short runs vary: the median of these counts. */
const REPEATED = 9;

export interface PlanResult {
  readonly planMs: number;
  readonly decideMs: number;
  readonly peakMb: number;
}

/** Tasks and modules by the name of the case. */
export const PLAN_CASES: Readonly<Record<string, readonly [tasks: number, modules: number]>> = {
  "plan-100": [100, 30],
  "plan-1000": [1000, 60],
  "plan-10000": [10_000, 300],
};

/** Conflict graph, waves, schedule and the conflicts that are listed, then one decision on who starts. */
export function runPlanCase([count, modules]: readonly [number, number]): PlanResult {
  const tasks = realisticTasks(count, modules).map(plannable);
  const options = { slots: SLOTS };
  const prepared = cpuOf(() => prepareBacklog(tasks, options));
  const planned = cpuOf(() => planBacklog(prepared.value, options));
  const listed = cpuOf(() => listConflicts(prepared.value, {}, LISTED));
  const snapshot = {
    now: instant(0),
    backlog: prepared.value,
    holding: [],
    slots: { overall: SLOTS },
  };
  const decisions = Array.from({ length: REPEATED }, () => cpuOf(() => decideStarts(snapshot)));
  const decideMs = decisions.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b)[REPEATED >> 1] ?? NaN;
  const planMs = prepared.cpuMs + planned.cpuMs + listed.cpuMs;
  return { planMs, decideMs, peakMb: peakMemoryMb() };
}

export async function planSection(script: string): Promise<readonly Goal[]> {
  const results: (readonly [string, PlanResult])[] = [];
  for (const name of Object.keys(PLAN_CASES)) {
    results.push([name, await inOwnProcess<PlanResult>(script, name)]);
  }
  const rows = results.map(([name, { planMs, decideMs, peakMb }]) => [
    (PLAN_CASES[name]?.[0] ?? 0).toLocaleString("en"),
    msText(planMs),
    `${decideMs.toFixed(1)} ms`,
    `${peakMb.toFixed(0)} MB`,
  ]);
  console.log("\nPlan and one decision (CPU)\n");
  console.log(`${tableText([["tasks", "plan", "decide", "peak memory"], ...rows])}\n`);
  const largest = results.at(-1)?.[1];
  return largest === undefined ? [] : goals(largest);
}

function goals({ planMs, decideMs, peakMb }: PlanResult): readonly Goal[] {
  return [
    {
      text: `a plan of 10,000 tasks stays under ${MAX_PLAN_MS / 1000} s and ${MAX_PEAK_MB} MB`,
      isMet: planMs < MAX_PLAN_MS && peakMb < MAX_PEAK_MB,
      measured: `${msText(planMs)}, ${peakMb.toFixed(0)} MB`,
    },
    {
      text: `a decision among 10,000 tasks stays under ${MAX_DECIDE_MS} ms`,
      isMet: decideMs < MAX_DECIDE_MS,
      measured: `${decideMs.toFixed(1)} ms`,
    },
  ];
}

function plannable(task: ReturnType<typeof realisticTasks>[number], index: number): PlannableTask {
  return {
    ...task,
    id: taskId(`t${index + 1}`),
    order: index + 1,
    title: "",
    dependsOn: [],
    parallelSafe: true,
    exclusive: false,
    priority: "normal",
    size: undefined,
    parent: undefined,
    runner: undefined,
    readySince: instant(0),
    estimateMs: 60_000 + (index % 7) * 60_000,
    invalid: undefined,
  };
}
