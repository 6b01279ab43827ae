import { beforeEach, describe, expect, it } from "vitest";
import { patientStore } from "../../src/app/patient-store.ts";
import type { Store } from "../../src/ports/store.ts";
import { AppError } from "../../src/shared/app-error.ts";
import { NOW, REPO, aTask } from "../support/builders.ts";
import { TestClock } from "../support/test-clock.ts";
import { TestLog } from "../support/test-log.ts";
import { useStore } from "../support/use-store.ts";

const TASK = { kind: "task-added", task: aTask() } as const;
const away = (retryable = true) => new AppError("store-unusable", "it is away", { retryable });

const real = useStore(() => NOW);
let clock: TestClock;
let log: TestLog;
/** What becomes of the next tries; when there are no more, the store answers. */
let fates: ("refused" | "answer lost")[];
let store: Store;

beforeEach(() => {
  clock = new TestClock();
  log = new TestLog();
  fates = [];
  const flaky: Store = {
    ...real(),
    record: async (...args) => {
      const fate = fates.shift();
      if (fate === "refused") throw away();
      await real().record(...args);
      if (fate === "answer lost") throw away();
    },
  };
  store = patientStore(flaky, { clock, log });
});

async function recorded(): Promise<number> {
  return (await real().readRepo(REPO)).tasks.length;
}

describe("a patient store", () => {
  it("waits until the store is back, and says so once", async () => {
    fates = ["refused", "refused", "refused"];
    const done = store.record(REPO, [TASK]);
    await clock.advance(60_000);
    await done;
    expect([await recorded(), log.seen]).toEqual([1, ["waits for the store", "the store is back"]]);
  });

  it("finds what was written though the answer was lost", async () => {
    fates = ["answer lost"];
    const done = store.record(REPO, [TASK]);
    await clock.advance(60_000);
    await done;
    expect(await recorded()).toBe(1);
  });

  it("throws what somebody else wrote in its place, and what no wait would change", async () => {
    await real().record(REPO, [{ ...TASK, task: aTask({ reason: "another" }) }]);
    fates = ["refused"];
    const done = store.record(REPO, [TASK]).catch((error: unknown) => error);
    await clock.advance(60_000);
    expect(await done).toMatchObject({ code: "store-conflict" });
    const broken: Store = { ...real(), readRepo: () => Promise.reject(away(false)) };
    await expect(patientStore(broken, { clock, log }).readRepo(REPO)).rejects.toMatchObject({
      code: "store-unusable",
    });
  });

  it("gives up after half an hour", async () => {
    fates = Array.from({ length: 1_000 }, () => "refused" as const);
    const done = store.record(REPO, [TASK]).catch((error: unknown) => error);
    await clock.advance(31 * 60_000);
    expect(await done).toMatchObject({ code: "store-unusable" });
  });
});
