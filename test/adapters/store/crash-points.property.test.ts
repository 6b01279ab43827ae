import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { replay } from "../../../src/adapters/store/events/replay.ts";
import { canonicalJson } from "../../../src/adapters/store/rows/columns.ts";
import { brokenLink } from "../../../src/adapters/store/rows/event-row.ts";
import type { Change } from "../../../src/domain/change.ts";
import { instant } from "../../../src/domain/ids.ts";
import { holdsClaims } from "../../../src/domain/task.ts";
import type { RecordedEvent, RepoMemory } from "../../../src/ports/store.ts";
import { AppError } from "../../../src/shared/app-error.ts";
import { HOUR_MS, NOW, REPO, aHold, aRun, aTask } from "../../support/builders.ts";
import fc from "../../support/fast-check.ts";
import { TASK, added, finished, moved, started } from "./changes.ts";
import { Crash, CrashingStore } from "./crashing-engine.ts";
import { arbitraryBatches, changeOf } from "./histories.ts";
import { sortedMemory } from "./sorted-memory.ts";

const EVERYTHING = instant(NOW + HOUR_MS);
const TASKS = [1, 2, 3].map((issue) => added(aTask({ issue })));

let crashing: CrashingStore;
beforeEach(async () => {
  crashing = new CrashingStore();
  await crashing.start();
});
afterEach(() => crashing.remove());

/** What the tables must hold after these changes. */
function stateAfter(changes: readonly Change[]): unknown {
  const events = changes.map((change): RecordedEvent => {
    return { seq: 0, at: NOW, repo: REPO, subject: "", change, hash: "" };
  });
  return sortedMemory(replay(events));
}

async function expectSound(): Promise<RepoMemory> {
  const memory = await crashing.store.readRepo(REPO);
  const events = await crashing.store.events(0, 100_000);
  expect(brokenLink(events)).toBeUndefined();
  expect(sortedMemory(replay(events))).toEqual(sortedMemory(memory));
  const running = memory.runs.filter(({ state }) => state === "running").map(({ task }) => task);
  expect(new Set(running).size).toBe(running.length);
  expectFenced(memory, events);
  return memory;
}

/** No number was ever given twice, and only tasks at work hold anything. */
function expectFenced(memory: RepoMemory, events: readonly RecordedEvent[]): void {
  const numbers = events.flatMap(({ change }) => {
    if (change.kind === "claims-taken") return change.hold.fence;
    return change.kind === "claims-extended" ? change.next : [];
  });
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(memory.fence).toBeGreaterThanOrEqual(Math.max(0, ...numbers));
  for (const { task, fence } of memory.holds) {
    expect(numbers).toContain(fence);
    const state = memory.tasks.find(({ id }) => id === task)?.state;
    expect(state === undefined || holdsClaims(state)).toBe(true);
  }
}

/** Whether the batch was acknowledged, refused, or cut off by a crash. */
async function outcomeOf(work: Promise<unknown>): Promise<"done" | "refused" | "cut off"> {
  try {
    await work;
    return "done";
  } catch (error) {
    if (error instanceof Crash) return "cut off";
    if (error instanceof AppError && error.code === "store-conflict") return "refused";
    throw error;
  }
}

/** After a crash all of the batch is there or nothing of it; returns what is. */
async function survivors(acknowledged: readonly Change[], batch: readonly Change[]) {
  const memory = sortedMemory(await expectSound());
  // Whether the batch was legal is only known when it is there.
  if (canonicalJson(memory) === canonicalJson(stateAfter(acknowledged))) return acknowledged;
  const whole = [...acknowledged, ...batch];
  expect(memory).toEqual(stateAfter(whole));
  return whole;
}

const START: readonly Change[] = [
  { kind: "run-queued", run: aRun() },
  moved("waiting", "running"),
  { kind: "claims-taken", hold: aHold() },
];
const END: readonly Change[] = [finished(aRun().id), moved("running", "failed")];
const PROOF = { kind: "run", run: aRun().id, fence: 1 } as const;

/** At which statement of each batch to die; most live. */
const arbitraryFuses = fc.array(fc.nat(60), { minLength: 60, maxLength: 60 });

describe("a store that dies at any statement", () => {
  it.each([false, true])(
    "has all of a batch or nothing of it, its last statement lost or its answer (%s)",
    async (late) => {
      await crashing.store.record(REPO, [...TASKS, ...START]);
      let acknowledged: readonly Change[] = [...TASKS, ...START];
      const batch = [started(aRun().id), ...END];
      let crashes = 0;
      for (let nth = 1; acknowledged.length === TASKS.length + START.length; nth += 1) {
        crashing.crashAt(nth, late);
        const end = await outcomeOf(crashing.store.record(REPO, batch, PROOF));
        if (end === "cut off") {
          crashes += 1;
          await crashing.start();
        }
        crashing.crashAt(Infinity, false);
        acknowledged = await survivors(acknowledged, end === "refused" ? [] : batch);
      }
      expect(crashes).toBeGreaterThan(8);
    },
  );

  it("compacts on from where it died", async () => {
    await crashing.store.record(REPO, [...TASKS, ...START, ...END]);
    const [, two, three] = TASKS.map(({ task }) => task.id);
    const cancel = (task: typeof TASK): Change => ({ ...moved("waiting", "cancelled"), task });
    await crashing.store.record(REPO, [cancel(two ?? TASK), cancel(three ?? TASK)]);
    const before = sortedMemory(await expectSound());
    let folded = 0;
    for (let nth = 1; folded === 0; nth += 1) {
      crashing.crashAt(nth, nth % 2 === 0);
      const end = await outcomeOf(crashing.store.compact(EVERYTHING));
      if (end === "cut off") await crashing.start();
      crashing.crashAt(Infinity, false);
      expect(sortedMemory(await crashing.store.readRepo(REPO))).toEqual(before);
      const events = await crashing.store.events(0, 100);
      expect(brokenLink(events)).toBeUndefined();
      expect(sortedMemory(replay(events))).toEqual(before);
      folded = events.filter(({ change }) => change.kind === "task-compacted").length;
    }
    expect(folded).toBe(3);
  });

  it("keeps every invariant over any history", async () => {
    const count = { done: 0, refused: 0, "cut off": 0 };
    await fc.assert(
      fc.asyncProperty(arbitraryBatches, arbitraryFuses, async (batches, fuses) => {
        await crashing.remove();
        crashing = new CrashingStore();
        await crashing.start();
        await crashing.store.record(REPO, TASKS);
        let acknowledged: readonly Change[] = TASKS;
        for (const [at, batch] of batches.entries()) {
          const memory = await crashing.store.readRepo(REPO);
          const changes = batch.map((draw) => changeOf(REPO, memory, draw));
          const draw = fuses[at % fuses.length] ?? 0;
          crashing.crashAt(draw < 16 ? draw + 1 : Infinity, draw % 2 === 0);
          const compacts = at % 15 === 14;
          const work = compacts
            ? crashing.store.compact(EVERYTHING)
            : crashing.store.record(REPO, changes);
          const end = await outcomeOf(work);
          count[end] += 1;
          if (end === "cut off") await crashing.start();
          crashing.crashAt(Infinity, false);
          const written = end === "refused" || compacts ? [] : changes;
          if (end === "cut off") acknowledged = await survivors(acknowledged, written);
          else acknowledged = [...acknowledged, ...written];
        }
        expect(sortedMemory(await expectSound())).toEqual(stateAfter(acknowledged));
      }),
      { numRuns: 8, endOnFailure: true },
    );
    expect(Math.min(count.done, count.refused, count["cut off"])).toBeGreaterThan(30);
  });
});
