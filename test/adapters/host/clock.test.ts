import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createClock } from "../../../src/adapters/host/clock.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 1000 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("createClock", () => {
  it("tells the time", () => {
    expect(createClock().now()).toBe(1000);
  });

  it("fires once after the delay, and not when it was taken back", () => {
    const fired: string[] = [];
    const clock = createClock();
    clock.after(10, () => fired.push("kept"));
    clock.after(10, () => fired.push("taken back"))();
    vi.advanceTimersByTime(9);
    expect(fired).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(fired).toEqual(["kept"]);
  });

  it("does not fire at once when the delay is longer than a timer can hold", () => {
    const fired: string[] = [];
    createClock().after(2 ** 40, () => fired.push("early"));
    vi.advanceTimersByTime(1000);
    expect(fired).toEqual([]);
  });
});
