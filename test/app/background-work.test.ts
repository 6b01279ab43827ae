import { beforeEach, describe, expect, it } from "vitest";
import { BackgroundWork } from "../../src/app/background-work.ts";
import { operatorConfigSchema } from "../../src/config/schema/operator-config.ts";
import { runId } from "../../src/domain/ids.ts";
import type { Deps } from "../../src/ports/deps.ts";
import type { RepoMemory } from "../../src/ports/store.ts";
import { AppError } from "../../src/shared/app-error.ts";
import { aConfig } from "../support/a-config.ts";
import { OTHER_REPO, REPO, aMemory, aRun } from "../support/builders.ts";
import { TestClock } from "../support/test-clock.ts";
import { TestLog } from "../support/test-log.ts";

const CONTEXT = { repo: REPO, base: "main", config: aConfig() };

let clock: TestClock;
let log: TestLog;
let wakes: number;
let reads: number;
let readRepo: () => Promise<RepoMemory>;
let beats: string[];
let activities: BackgroundWork;

beforeEach(() => {
  clock = new TestClock();
  log = new TestLog();
  wakes = 0;
  reads = 0;
  beats = [];
  readRepo = () => Promise.resolve(aMemory());
  const operator = operatorConfigSchema.parse({
    runners: { agent: { command: "agent" } },
    retry: { backoff: "10s" },
  });
  const store = {
    heartbeat: (run: string) => {
      beats.push(run);
      return Promise.resolve(true);
    },
    readRepo: () => {
      reads += 1;
      return readRepo();
    },
  };
  const host = { listHomes: () => Promise.resolve([]) };
  const deps = { clock, log, operator, store, host, wake: () => (wakes += 1) } as unknown as Deps;
  activities = new BackgroundWork(() => deps);
});

describe("Activities", () => {
  it("ends a run whose task is gone and wakes the repository, which requeues it", async () => {
    activities.startRun(CONTEXT, aRun());
    expect(activities.running()).toHaveLength(1);
    await activities.allEnded();
    expect([activities.busy, wakes]).toEqual([false, 1]);
  });

  it("starts nothing twice", async () => {
    activities.startRun(CONTEXT, aRun());
    activities.startRun(CONTEXT, aRun());
    await activities.allEnded();
    expect(reads).toBe(1);
  });

  it("counts runs of an earlier life as under way, and goes on with them when their repository is looked at", async () => {
    const other = { repo: OTHER_REPO, run: aRun({ id: runId("run-2") }) };
    activities.inherit([{ repo: REPO, run: aRun() }, other]);
    expect([activities.running().length, activities.busy]).toEqual([2, false]);
    const resumed = [activities.resumeRuns(CONTEXT), activities.resumeRuns(CONTEXT)];
    expect([activities.running().length, activities.busy]).toEqual([2, true]);
    await Promise.all(resumed);
    // One that its life begins with, and one that is written before anybody looks for silent runs.
    expect(beats).toEqual(["run-1", "run-1"]);
    await activities.allEnded();
    expect(activities.running()).toEqual([other.run]);
    expect(reads).toBe(1);
  });

  it.each(["store-conflict", "store-fenced"] as const)("takes %s for the end", async (code) => {
    readRepo = () => Promise.reject(new AppError(code, "overtaken"));
    activities.startRun(CONTEXT, aRun());
    await activities.allEnded();
    expect(wakes).toBe(1);
    expect(log.seen).toEqual(["result overtaken"]);
  });

  describe("work that fails for an unknown reason", () => {
    beforeEach(async () => {
      readRepo = () => Promise.reject(new Error("a bug"));
      activities.startRun(CONTEXT, aRun());
      await clock.settle();
    });

    it("is not started again before a pause is over", async () => {
      await clock.advance(9999);
      activities.startRun(CONTEXT, aRun());
      await clock.settle();
      expect([reads, wakes, activities.busy]).toEqual([1, 0, true]);
      await clock.advance(1);
      expect([wakes, activities.busy]).toEqual([1, false]);
      expect(log.seen).toEqual(["background work failed"]);
    });

    it("does not hold up a stop", async () => {
      await activities.stop("the app was stopped");
      expect(activities.busy).toBe(false);
      expect(clock.waiting).toEqual([]);
    });
  });
});
