import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { buildApart } from "../build.ts";
import { tellGoal } from "./goal.ts";
import { oneFileRepository } from "./one-file-repository.ts";

// How much sooner are five equal evaluations done on five slots than one after the other? Everything is real but the work: the agent sleeps.
// `npx tsx bench/explore.ts [seconds] [ideas]`; what people start, at its defaults.
const SECONDS = Number(process.argv[2] ?? 30);
const IDEAS = Number(process.argv[3] ?? 5);
/** 4.8 of 5. */
const LEAST_SHARE = 0.96;
const COMMAND = `sleep ${SECONDS}; echo "$WAVETRAIN_IDEA" > idea.txt`;

interface Explored {
  readonly evaluations: readonly {
    readonly queuedAt: string;
    readonly startedAt: string;
    readonly finishedAt: string;
  }[];
  readonly winner: object | null;
}

interface Measured {
  /** From the moment at which the level was on record to the end of its last evaluation. */
  readonly levelMs: number;
  readonly wholeMs: number;
  /** Of the slowest evaluation, beyond its sleep. */
  readonly overheadMs: number;
  readonly lastStartMs: number;
}

const folder = await mkdtemp(join(tmpdir(), "wavetrain-bench-explore-"));
try {
  const main = await buildApart(join(folder, "program"));
  const repo = await oneFileRepository(join(folder, "repo"));
  const serial = measure(main, repo, 1);
  const parallel = measure(main, repo, IDEAS);
  console.log(`${IDEAS} evaluations of ${SECONDS} s on one slot, and on ${IDEAS}:`);
  const speedUp = compare("from queued to the last end", serial.levelMs, parallel.levelMs);
  compare(
    "the whole command, its start and the pull request included",
    serial.wholeMs,
    parallel.wholeMs,
  );
  for (const [name, { overheadMs, lastStartMs }] of Object.entries({ serial, parallel }))
    console.log(
      `  ${name}: last start after ${seconds(lastStartMs)}, slowest evaluation ${seconds(overheadMs)} beyond its sleep`,
    );
  const [load = 0] = loadavg();
  if (load > availableParallelism() + 1)
    console.log(`  the machine was busy with other things: load ${load.toFixed(1)}`);
  const least = LEAST_SHARE * IDEAS;
  tellGoal(`at least ${least.toFixed(1)} times as fast`, speedUp >= least);
} finally {
  await rm(folder, { recursive: true, force: true });
}

function measure(main: string, repo: string, slots: number): Measured {
  const ideas = Array.from({ length: IDEAS }, (_, at) => ["--idea", `idea ${at + 1}`]).flat();
  const given = ["--repo", repo, "--command", COMMAND, "--score", "echo 1", "--depth", "1"];
  const how = ["--max-parallel-evals", String(slots), "--json"];
  const began = Date.now();
  const args = [main, "explore", ...given, ...ideas, ...how];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const wholeMs = Date.now() - began;
  if (stdout.trim() === "") throw new Error(`nothing was explored:\n${stderr}`);
  const { evaluations, winner } = JSON.parse(stdout) as Explored;
  if (winner === null || evaluations.length !== IDEAS) throw new Error(`not all ran:\n${stdout}`);
  const times = evaluations.map(({ queuedAt, startedAt, finishedAt }) => ({
    queuedAt: Date.parse(queuedAt),
    startedAt: Date.parse(startedAt),
    finishedAt: Date.parse(finishedAt),
  }));
  const from = Math.min(...times.map(({ queuedAt }) => queuedAt));
  return {
    levelMs: Math.max(...times.map(({ finishedAt }) => finishedAt)) - from,
    wholeMs,
    overheadMs: Math.max(...times.map((one) => one.finishedAt - one.startedAt)) - SECONDS * 1000,
    lastStartMs: Math.max(...times.map(({ startedAt }) => startedAt)) - from,
  };
}

function compare(what: string, oneMs: number, manyMs: number): number {
  const speedUp = oneMs / manyMs;
  console.log(
    `  ${what}: ${seconds(oneMs)} and ${seconds(manyMs)}, ${speedUp.toFixed(2)} times as fast`,
  );
  return speedUp;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
