import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { sleep } from "../../src/shared/sleep.ts";
import { TestClock } from "../support/test-clock.ts";

function asleep(ms: number) {
  const clock = new TestClock();
  const stop = new AbortController();
  let isAwake = false;
  const slept = sleep(ms, clock, stop.signal).then(() => {
    isAwake = true;
  });
  const listeners = () => getEventListeners(stop.signal, "abort").length;
  return { clock, stop, slept, listeners, isAwake: () => isAwake };
}

describe("sleep", () => {
  it("lasts as long as it was asked to", async () => {
    const { clock, isAwake } = asleep(1_000);
    await clock.advance(999);
    expect(isAwake()).toBe(false);
    await clock.advance(1);
    expect(isAwake()).toBe(true);
  });

  it("ends at once when the signal is aborted, and takes its timer away", async () => {
    const { clock, stop, slept } = asleep(1_000);
    stop.abort();
    await slept;
    expect(clock.waiting).toEqual([]);
  });

  it("does not begin when the signal is aborted already", async () => {
    const clock = new TestClock();
    await sleep(1_000, clock, AbortSignal.abort());
    expect(clock.waiting).toEqual([]);
  });

  it("leaves no listener on a signal that outlives it", async () => {
    const { clock, slept, listeners } = asleep(1_000);
    expect(listeners()).toBe(1);
    await clock.advance(1_000);
    await slept;
    expect(listeners()).toBe(0);
  });

  it("leaves no listener on a signal that ended it", async () => {
    const { stop, slept, listeners } = asleep(1_000);
    stop.abort();
    await slept;
    expect(listeners()).toBe(0);
  });
});
