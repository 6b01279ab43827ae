import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { buildApart } from "../build.ts";
import type { TryResult } from "../src/cli/try/result.ts";
import { instant } from "../src/domain/ids.ts";
import { utilizationOf } from "../src/scheduler/slots/utilization.ts";
import { tellGoal } from "./goal.ts";
import { oneFileRepository } from "./one-file-repository.ts";

// How much longer do five equal tasks on five slots take than one? Everything is real but the work: the agent sleeps.
// `npx tsx bench/parallel.ts [seconds] [tasks]`
const SECONDS = Number(process.argv[2] ?? 30);
const TASKS = Number(process.argv[3] ?? 5);
const MOST_OF_RUNS = 1.03;
const MOST_WITH_LANDING = 1.1;
/** Of the app, its git, the local GitHub and its git. */
const MOST_PROCESSOR_MS = 1000;
/** 4.8 of 5. */
const LEAST_SHARE = 0.96;
const COMMAND = `sleep ${SECONDS}; echo "$WAVETRAIN_TASK_ID" > "$WAVETRAIN_TASK_ID.txt"`;

const folder = await mkdtemp(join(tmpdir(), "wavetrain-parallel-"));
try {
  const main = await buildApart(join(folder, "program"));
  const repo = await oneFileRepository(join(folder, "repo"));
  const one = await measure({ main, repo }, 1);
  const all = await measure({ main, repo }, TASKS);
  console.log(`${TASKS} tasks of ${SECONDS} s on ${TASKS} slots, against one task:`);
  console.log(`  ${all.settings}`);
  const ended = compare("until the last run ended", one.runsMs, all.runsMs);
  const landed = compare("until the last change landed", one.landedMs, all.landedMs);
  explainOverhead("one task", one);
  explainOverhead(`${TASKS} tasks`, all);
  const perTaskMs = (all.cpuMs - one.cpuMs) / Math.max(1, TASKS - 1);
  console.log(`  processor time of each further task: ${seconds(perTaskMs)}`);
  const [load = 0] = loadavg();
  if (load > availableParallelism() + 1) {
    console.log(
      `  the machine was busy with other things (load ${load.toFixed(1)} on ${availableParallelism()} processors): only processor times mean something`,
    );
  }
  console.log(`  utilization of the slots, first start to last end: ${percent(all.utilization)}`);
  tellGoal(`the runs take at most ${MOST_OF_RUNS} × one task`, ended <= MOST_OF_RUNS);
  tellGoal(`their speed-up is at least ${LEAST_SHARE} of the slots`, 1 / ended >= LEAST_SHARE);
  tellGoal(`with landing at most ${MOST_WITH_LANDING} × one task`, landed <= MOST_WITH_LANDING);
  const most = seconds(MOST_PROCESSOR_MS);
  tellGoal(`processor time of each further task at most ${most}`, perTaskMs <= MOST_PROCESSOR_MS);
} finally {
  await rm(folder, { recursive: true, force: true });
}

interface Tried {
  readonly main: string;
  readonly repo: string;
}

interface Measured {
  readonly toFirstStartMs: number;
  readonly toLastStartMs: number;
  /** Of the slowest run, beyond its sleep: workspace, collecting, verify, push, pull request. */
  readonly runOverheadMs: number;
  readonly runsMs: number;
  readonly landedMs: number;
  readonly utilization: number;
  /** Of the app, its git, the local GitHub and its git, starting up included. */
  readonly cpuMs: number;
  /** Where the trial was not at the defaults, in its own words. */
  readonly settings: string;
}

async function measure({ main, repo }: Tried, count: number): Promise<Measured> {
  const ids = Array.from({ length: count }, (_, at) => `t${at + 1}`);
  const file = join(folder, `${count}.json`);
  await writeFile(file, JSON.stringify(ids.map((id) => ({ id, files: [`${id}.txt`] }))));
  const given = ["--repo", repo, "--tasks", file, "--command", COMMAND, "--verify", "true"];
  const how = ["--parallel", String(count), "--approve", "auto", "--json"];
  const program = [process.execPath, main, "try", ...given, ...how];
  const { stdout, stderr } = spawnSync("sh", ["-c", '"$@"; times >&2', "sh", ...program], {
    encoding: "utf8",
    maxBuffer: 64 * 2 ** 20,
  });
  if (stdout.trim() === "") throw new Error(`the tasks were not run:\n${stderr}`);
  const [settings = ""] = /^Settings: .*$/m.exec(stderr) ?? [];
  const measures = measuresOf(JSON.parse(stdout) as TryResult, count);
  return { ...measures, cpuMs: cpuMsOf(stderr), settings };
}

/** The shell's last line: user and system time of all its children, as 0m4.23s 0m0.95s. */
function cpuMsOf(stderr: string): number {
  const last = stderr.trimEnd().split("\n").at(-1) ?? "";
  const parts = [...last.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, m, s]) => sum + Number(m) * 60_000 + Number(s) * 1000, 0);
}

function measuresOf(result: TryResult, slots: number): Omit<Measured, "cpuMs" | "settings"> {
  const from = Date.parse(result.startedAt);
  const runs = result.tasks.map((task) => ({
    runner: "local",
    startedAt: instant(timeOf(task.startedAt)),
    finishedAt: instant(timeOf(task.finishedAt)),
  }));
  const starts = runs.map(({ startedAt }) => startedAt);
  const end = Math.max(...runs.map(({ finishedAt }) => finishedAt));
  const window = { from: instant(Math.min(...starts)), now: instant(end) };
  const busy = utilizationOf(runs, { ...window, slots: new Map([["local", slots]]) });
  return {
    toFirstStartMs: window.from - from,
    toLastStartMs: Math.max(...starts) - from,
    runOverheadMs: Math.max(...runs.map((run) => run.finishedAt - run.startedAt)) - SECONDS * 1000,
    runsMs: end - from,
    landedMs: Math.max(...result.tasks.map(({ landedAt }) => timeOf(landedAt))) - from,
    utilization: busy.get("local") ?? 0,
  };
}

function timeOf(text: string | null): number {
  if (text === null) throw new Error("a task did not get that far");
  return Date.parse(text);
}

function compare(what: string, oneMs: number, allMs: number): number {
  const ratio = allMs / oneMs;
  console.log(
    `  ${what}: ${seconds(oneMs)} and ${seconds(allMs)}: ${ratio.toFixed(3)} × one task, speed-up ${(TASKS / ratio).toFixed(2)} of ${TASKS}`,
  );
  return ratio;
}

function explainOverhead(name: string, measured: Measured): void {
  const { toFirstStartMs, toLastStartMs, runOverheadMs, runsMs, landedMs, cpuMs } = measured;
  console.log(
    `  ${name}: first start after ${seconds(toFirstStartMs)}, last after ${seconds(toLastStartMs)}; slowest run ${seconds(runOverheadMs)} beyond its sleep; last landing ${seconds(landedMs - runsMs)} after the last run; ${seconds(cpuMs)} of processor time`,
  );
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`;
}
