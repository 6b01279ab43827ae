import { beforeEach, describe, expect, it } from "vitest";
import { Lane } from "../../src/loop/lane.ts";
import type { WakeReason } from "../../src/ports/deps.ts";
import { AppError } from "../../src/shared/app-error.ts";
import { REPO } from "../support/builders.ts";
import { deferred } from "../support/deferred.ts";
import { TestClock } from "../support/test-clock.ts";

const MINUTE_MS = 60_000;

let clock: TestClock;
let ticks: WakeReason[];
let failures: unknown[];
let rests: number;
/** What the next tick does; by default it ends at once and wants nothing. */
let script: () => Promise<number | undefined>;

beforeEach(() => {
  clock = new TestClock();
  ticks = [];
  failures = [];
  rests = 0;
  script = () => Promise.resolve(undefined);
});

function aLane(reconcileEveryMs = MINUTE_MS): Lane {
  return new Lane({
    repo: REPO,
    clock,
    reconcileEveryMs,
    isHalted: () => false,
    succeeded: () => undefined,
    tick: (_repo, news) => {
      ticks.push(news);
      return script();
    },
    failed: (error) => failures.push(error),
    rested: () => (rests += 1),
  });
}

/** A tick that ends when it is told to. */
function heldTick(): () => void {
  const { promise, resolve } = deferred<undefined>();
  script = () => promise;
  return () => {
    script = () => Promise.resolve(undefined);
    resolve(undefined);
  };
}

describe("Lane", () => {
  it("reads GitHub in its first tick, whatever woke it", async () => {
    aLane().wake("we-changed");
    await clock.settle();
    expect(ticks).toEqual(["github-changed"]);
  });

  it("reads GitHub again only when GitHub changed", async () => {
    const lane = aLane();
    lane.start();
    await clock.settle();
    lane.wake("we-changed");
    await clock.settle();
    lane.wake("github-changed");
    await clock.settle();
    expect(ticks).toEqual(["github-changed", "we-changed", "github-changed"]);
  });

  it("ticks one at a time and makes one tick of all wake-ups during a tick", async () => {
    const release = heldTick();
    const lane = aLane();
    lane.start();
    lane.wake("we-changed");
    lane.wake("github-changed");
    lane.wake("we-changed");
    await clock.settle();
    expect(ticks).toHaveLength(1);
    release();
    await clock.settle();
    expect(ticks).toEqual(["github-changed", "github-changed"]);
    expect(lane.busy).toBe(false);
    expect(rests).toBe(1);
  });

  it("reads the board after every interval without any news, with one timer at a time", async () => {
    const lane = aLane();
    lane.start();
    await clock.settle();
    lane.wake("we-changed");
    await clock.settle();
    expect(clock.waiting).toEqual([MINUTE_MS]);
    await clock.advance(3 * MINUTE_MS);
    expect(ticks.slice(2)).toEqual(["github-changed", "github-changed", "github-changed"]);
  });

  it.each([
    { wants: 5000, delay: 5000, news: "we-changed" },
    { wants: 90_000, delay: MINUTE_MS, news: "github-changed" },
    { wants: -1, delay: 0, news: "we-changed" },
  ])(
    "looks again after $delay ms when it wants to in $wants ms",
    async ({ wants, delay, news }) => {
      script = () => Promise.resolve(clock.now() + wants);
      aLane().start();
      await clock.settle();
      expect(clock.waiting).toEqual([delay]);
      script = () => Promise.resolve(undefined);
      await clock.advance(delay);
      expect(ticks).toEqual(["github-changed", news]);
    },
  );

  describe("after a failure", () => {
    beforeEach(() => {
      script = () => Promise.reject(new Error("no network"));
    });

    it("is deaf for a pause, then tries again and reads GitHub", async () => {
      const lane = aLane();
      lane.start();
      await clock.settle();
      expect(failures).toHaveLength(1);
      lane.wake("github-changed");
      await clock.settle();
      expect(ticks).toHaveLength(1);
      script = () => Promise.resolve(undefined);
      await clock.advance(2000);
      expect(ticks).toEqual(["github-changed", "github-changed"]);
    });

    it("tries again also when the reconcile interval is shorter than the pause", async () => {
      aLane(300).start();
      await clock.settle();
      await clock.advance(1999);
      expect(ticks).toHaveLength(1);
      await clock.advance(1);
      expect(ticks).toHaveLength(2);
    });

    it("pauses longer with each failure in a row, up to a minute", async () => {
      aLane(300).start();
      await clock.settle();
      const pauses: number[] = [];
      for (let count = 0; count < 7; count += 1) {
        const [pause = 0] = clock.waiting;
        pauses.push(pause);
        await clock.advance(pause);
      }
      expect(pauses).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    });

    it("begins with a short pause again when it went well in between", async () => {
      const lane = aLane();
      lane.start();
      await clock.settle();
      script = () => Promise.resolve(undefined);
      await clock.advance(2000);
      script = () => Promise.reject(new Error("no network"));
      lane.wake("we-changed");
      await clock.settle();
      expect(clock.waiting).toEqual([2000]);
    });

    it("does not go on with the wake-ups of a tick that failed", async () => {
      const { promise, reject } = deferred<undefined>();
      script = () => promise;
      const lane = aLane();
      lane.start();
      lane.wake("we-changed");
      reject(new Error("no network"));
      await clock.settle();
      expect(ticks).toHaveLength(1);
      expect(lane.busy).toBe(false);
    });

    it("tries again although the clock was set back during the pause", async () => {
      aLane().start();
      await clock.settle();
      clock.jump(-3_600_000);
      await clock.fireAll();
      expect(ticks).toHaveLength(2);
    });
  });

  it("neither ticks nor sets a timer once it is stopped", async () => {
    const lane = aLane();
    lane.start();
    await clock.settle();
    lane.stop();
    lane.wake("github-changed");
    await clock.advance(10 * MINUTE_MS);
    expect(ticks).toHaveLength(1);
    expect(clock.waiting).toEqual([]);
  });

  it("ends the tick under way when it is stopped, and no more", async () => {
    const release = heldTick();
    const lane = aLane();
    lane.start();
    lane.wake("github-changed");
    lane.stop();
    release();
    await clock.settle();
    expect(ticks).toHaveLength(1);
    expect(clock.waiting).toEqual([]);
    expect(rests).toBe(1);
  });

  it("ticks at once when it is started again after a stop in the middle of a pause", async () => {
    const lane = aLane();
    script = () => Promise.reject(new Error("gone"));
    lane.start();
    await clock.settle();
    lane.stop();
    script = () => Promise.resolve(undefined);
    lane.start();
    await clock.settle();
    expect(ticks).toEqual(["github-changed", "github-changed"]);
  });

  it("never ticks twice at once when it is started again during a tick", async () => {
    const release = heldTick();
    const lane = aLane();
    lane.start();
    lane.stop();
    lane.start();
    await clock.settle();
    expect(ticks).toHaveLength(1);
    release();
    await clock.settle();
    expect(ticks).toHaveLength(2);
  });

  it("leaves GitHub alone for as long as it asks for, whoever wakes it", async () => {
    const lane = aLane();
    const retryAfterMs = 10 * MINUTE_MS;
    const limited = new AppError("github-rate-limited", "used up", { retryAfterMs });
    script = () => Promise.reject(limited);
    lane.start();
    await clock.settle();
    script = () => Promise.resolve(undefined);
    await clock.advance(retryAfterMs - 1);
    lane.wake("github-changed");
    await clock.settle();
    expect(ticks).toHaveLength(1);
    await clock.advance(1);
    expect(ticks).toHaveLength(2);
  });

  it("looks again at once when another lane was first, and not for ever", async () => {
    script = () => Promise.reject(new AppError("store-conflict", "overtaken"));
    aLane().start();
    await clock.settle();
    expect([ticks.length, failures.length]).toEqual([6, 1]);
    expect(new Set(ticks)).toEqual(new Set(["github-changed"]));
  });

  it("takes a conflict that ends for nothing worth telling", async () => {
    let conflicts = 2;
    script = () =>
      conflicts-- > 0
        ? Promise.reject(new AppError("store-conflict", "overtaken"))
        : Promise.resolve(undefined);
    aLane().start();
    await clock.settle();
    expect([ticks.length, failures]).toEqual([3, []]);
  });
});
