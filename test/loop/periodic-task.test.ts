import { beforeEach, describe, expect, it } from "vitest";
import { PeriodicTask } from "../../src/loop/periodic-task.ts";
import { deferred } from "../support/deferred.ts";
import { TestClock } from "../support/test-clock.ts";
import { TestLog } from "../support/test-log.ts";

let clock: TestClock;
let log: TestLog;
let done: number;
let work: () => Promise<void>;
let task: PeriodicTask;

beforeEach(() => {
  clock = new TestClock();
  log = new TestLog();
  done = 0;
  work = () => Promise.resolve();
  task = new PeriodicTask({
    clock,
    log,
    name: "sweep the floor",
    firstAfterMs: 0,
    everyMs: 1000,
    work: () => {
      done += 1;
      return work();
    },
  });
});

describe("PeriodicTask", () => {
  it("is done at once and then at its interval", async () => {
    task.start();
    await clock.advance(2500);
    expect(done).toBe(3);
  });

  it("waits for its end before the next begins", async () => {
    const { promise, resolve } = deferred<undefined>();
    work = () => promise.then(() => undefined);
    task.start();
    await clock.advance(5000);
    expect(done).toBe(1);
    expect(task.busy).toBe(true);
    resolve(undefined);
    await clock.advance(1000);
    expect(done).toBe(2);
  });

  it("costs one line when it begins to fail, one when it works again, and goes on", async () => {
    work = () => Promise.reject(new Error("refused"));
    task.start();
    await clock.advance(3000);
    work = () => Promise.resolve();
    await clock.advance(1000);
    expect(done).toBe(5);
    expect(log.seen).toEqual(["periodic task failed", "periodic task recovered"]);
  });

  it("is waited for when it stops, and done no more", async () => {
    const { promise, resolve } = deferred<undefined>();
    work = () => promise.then(() => undefined);
    task.start();
    let stopped = false;
    const stopping = task.stop().then(() => (stopped = true));
    await clock.settle();
    expect(stopped).toBe(false);
    resolve(undefined);
    await stopping;
    await clock.advance(5000);
    expect(done).toBe(1);
  });
});
