import { beforeEach, describe, expect, it } from "vitest";
import { Chore } from "../src/chore.ts";
import { deferred } from "./support/deferred.ts";
import { TestClock } from "./support/test-clock.ts";
import { TestLog } from "./support/test-log.ts";

let clock: TestClock;
let log: TestLog;
let done: number;
let work: () => Promise<void>;
let chore: Chore;

beforeEach(() => {
  clock = new TestClock();
  log = new TestLog();
  done = 0;
  work = () => Promise.resolve();
  chore = new Chore({
    ...{ clock, log, name: "sweep the floor", firstAfterMs: 0, everyMs: 1000 },
    work: () => {
      done += 1;
      return work();
    },
  });
});

describe("Chore", () => {
  it("is done at once and then at its interval", async () => {
    chore.start();
    await clock.advance(2500);
    expect(done).toBe(3);
  });

  it("waits for its end before the next begins", async () => {
    const { promise, resolve } = deferred<undefined>();
    work = () => promise.then(() => undefined);
    chore.start();
    await clock.advance(5000);
    expect(done).toBe(1);
    expect(chore.busy).toBe(true);
    resolve(undefined);
    await clock.advance(1000);
    expect(done).toBe(2);
  });

  it("costs one line when it begins to fail, one when it works again, and goes on", async () => {
    work = () => Promise.reject(new Error("refused"));
    chore.start();
    await clock.advance(3000);
    work = () => Promise.resolve();
    await clock.advance(1000);
    expect(done).toBe(5);
    expect(log.seen).toEqual(["chore failed", "chore recovered"]);
  });

  it("is waited for when it stops, and done no more", async () => {
    const { promise, resolve } = deferred<undefined>();
    work = () => promise.then(() => undefined);
    chore.start();
    let stopped = false;
    const stopping = chore.stop().then(() => (stopped = true));
    await clock.settle();
    expect(stopped).toBe(false);
    resolve(undefined);
    await stopping;
    await clock.advance(5000);
    expect(done).toBe(1);
  });
});
