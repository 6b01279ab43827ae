import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../src/adapters/store/open-store.ts";
import type { Change } from "../src/domain/change.ts";
import { instant, runId } from "../src/domain/ids.ts";
import type { Instant } from "../src/domain/ids.ts";
import type { Task } from "../src/domain/task.ts";
import type { Store } from "../src/ports/store.ts";
import {
  HOUR_MS,
  NOW,
  REPO,
  SUCCEEDED,
  aRun,
  aSignal,
  aSpec,
  aTask,
} from "../test/support/builders.ts";

const LANDED = 100_000;
const LIVE = 50;
const SIGNALS = 2_000;
const IN_FLIGHT = 100;
const STARTS = 1_000;
/** What a tick may cost more with history than without. */
const MOST_RATIO = 1.2;
const LONG_AGO = instant(NOW - 30 * 24 * HOUR_MS);

const folder = await mkdtemp(join(tmpdir(), "wavetrain-bench-"));
try {
  await benchSignals();
  await benchClaims();
  await benchTick();
} finally {
  await rm(folder, { recursive: true });
}

async function benchSignals(): Promise<void> {
  const store = await openStore({ path: join(folder, "signals"), now: () => NOW });
  const latencies: number[] = [];
  const started = performance.now();
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < SIGNALS) {
      const deliveryId = `delivery-${next++}`;
      const sent = performance.now();
      await store.addSignal(aSignal({ deliveryId }));
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, client));
  const perSecond = (SIGNALS / (performance.now() - started)) * 1000;
  await store.close();
  const p99 = quantile(latencies, 0.99).toFixed(1);
  console.log(
    `signals: ${perSecond.toFixed(0)} durable writes/s, p99 ${p99} ms with ${IN_FLIGHT} in flight`,
  );
}

/** Every start is one durable batch: the run, the task's move and its claims, under the next number. */
async function benchClaims(): Promise<void> {
  const store = await openStore({ path: join(folder, "claims"), now: () => NOW });
  const tasks = Array.from({ length: STARTS }, (_, i) => task(i + 1, NOW, "waiting"));
  await store.record(
    REPO,
    tasks.map((one) => ({ kind: "task-added", task: one })),
  );
  const started = performance.now();
  for (const [at, one] of tasks.entries()) await store.record(REPO, start(one, at + 1));
  const perSecond = (STARTS / (performance.now() - started)) * 1000;
  await store.close();
  console.log(`claims: ${perSecond.toFixed(0)} durable takings/s`);
}

function start({ id, spec, issue }: Task, fence: number): readonly Change[] {
  const run = aRun({ id: runId(`run-${issue}`), task: id });
  const moved = { kind: "task-moved", task: id, from: "waiting", to: "running" } as const;
  return [
    { kind: "run-queued", run },
    { ...moved, reason: "its files are free", at: NOW, set: { attempts: 1 } },
    {
      kind: "claims-taken",
      hold: { task: id, run: run.id, claims: spec.claims, fence, takenAt: NOW },
    },
  ];
}

async function benchTick(): Promise<void> {
  const empty = await storeWith("empty", 0);
  const full = await storeWith("full", LANDED);
  await compareReads("as written", empty, full);
  const started = performance.now();
  const { tasks, events } = await full.compact(NOW);
  const seconds = (performance.now() - started) / 1000;
  const left = events === 0 ? "nothing" : `${tasks} summaries`;
  console.log(`compaction: ${events} events into ${left}, ${(tasks / seconds).toFixed(0)} tasks/s`);
  await compareReads("compacted", empty, full);
  await empty.close();
  await full.close();
}

/** Both stores are read in turn, so that noise of the machine falls on both. */
async function compareReads(how: string, empty: Store, full: Store): Promise<void> {
  const times: { readonly empty: number[]; readonly full: number[] } = { empty: [], full: [] };
  for (let n = 0; n < 200; n += 1) {
    times.empty.push(await readTime(empty));
    times.full.push(await readTime(full));
  }
  const [before, after] = [quantile(times.empty, 0.5), quantile(times.full, 0.5)];
  const ratio = after / before;
  const cost = `${after.toFixed(2)} ms, ${before.toFixed(2)} ms with none: ${ratio.toFixed(2)} ×`;
  const verdict = ratio <= MOST_RATIO ? "PASS" : "FAIL";
  console.log(`readRepo with ${LIVE} live and ${LANDED} landed tasks, ${how}: ${cost} ${verdict}`);
}

async function readTime(store: Store): Promise<number> {
  const started = performance.now();
  await store.readRepo(REPO);
  return performance.now() - started;
}

async function storeWith(name: string, landed: number): Promise<Store> {
  const store = await openStore({ path: join(folder, name), now: () => NOW });
  const batch = 1000;
  const started = performance.now();
  for (let first = 0; first < landed; first += batch) {
    const issues = Array.from({ length: batch }, (_, i) => 1000 + first + i);
    await store.record(
      REPO,
      issues.flatMap((issue) => history(task(issue, LONG_AGO, "landed"))),
    );
  }
  if (landed > 0) {
    const rate = (landed * 3 * 1000) / (performance.now() - started);
    console.log(`record: ${rate.toFixed(0)} changes/s in batches of ${batch * 3}`);
  }
  const live = Array.from({ length: LIVE }, (_, i) => task(i + 1, NOW, "running"));
  await store.record(REPO, live.flatMap(history));
  return store;
}

/** A task with one finished run. */
function history(one: Task): readonly Change[] {
  const id = runId(`run-${one.issue}`);
  return [
    { kind: "task-added", task: one },
    { kind: "run-queued", run: aRun({ id, task: one.id, queuedAt: one.changedAt }) },
    { kind: "run-finished", run: id, outcome: SUCCEEDED, at: one.changedAt },
  ];
}

function task(issue: number, changedAt: Instant, state: Task["state"]): Task {
  const spec = aSpec({ body: "Lorem ipsum dolor sit amet. ".repeat(12) });
  return aTask({ repo: REPO, issue, spec, state, changedAt });
}

function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(q * (sorted.length - 1))] ?? 0;
}
