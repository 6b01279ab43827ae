import { describe, expect, it } from "vitest";
import { spentBy, tighter, timeLeftMs, usedUp } from "../../src/domain/budget.ts";
import type { CostlyRun } from "../../src/domain/budget.ts";
import { instant } from "../../src/domain/ids.ts";

const MINUTE = 60_000;

/** From one minute to another, with its tokens and dollars. */
function run(from: number, to?: number, [tokens = 0, costUsd]: readonly number[] = []): CostlyRun {
  return {
    startedAt: instant(from * MINUTE),
    finishedAt: to === undefined ? undefined : instant(to * MINUTE),
    usage: { inputTokens: tokens, outputTokens: tokens, cachedTokens: tokens, costUsd },
  };
}

const window = { from: 10 * MINUTE, now: 60 * MINUTE };

describe("spentBy", () => {
  it("adds up what runs report, what came from a cache not twice", () => {
    const spent = spentBy([run(10, 20, [50, 1.5]), run(20, 25, [5])], window);
    expect(spent).toEqual({ tokens: 110, usd: 1.5, minutes: 15 });
  });

  it("leaves out what ended before the window", () => {
    expect(spentBy([run(1, 9, [50, 2])], window)).toEqual({ tokens: 0, usd: 0, minutes: 0 });
  });

  it("counts of a run across the beginning of the window only the time within", () => {
    expect(spentBy([run(5, 15, [7])], window)).toMatchObject({ minutes: 5, tokens: 14 });
  });

  it("counts the time of a run under way, and of one that never started nothing", () => {
    const queued = { startedAt: undefined, finishedAt: undefined, usage: undefined };
    expect(spentBy([run(55), queued], window).minutes).toBe(5);
  });
});

describe("usedUp", () => {
  const spent = { tokens: 2_000_000, usd: 20, minutes: 90 };

  it.each([
    [{}, undefined],
    [{ tokens: 2_000_001, usd: 21, minutes: 91 }, undefined],
    [{ tokens: 2_000_000 }, "2,000,000 tokens"],
    [{ usd: 20 }, "$20"],
    [{ usd: 0.5 }, "$0.5"],
    [{ minutes: 90 }, "90 minutes"],
    [{ minutes: 1 }, "1 minute"],
    [{ minutes: 1.0625 }, "1.0625 minutes"],
  ])("of %j is %s", (budget, words) => {
    expect(usedUp(budget, spent)).toBe(words);
  });
});

describe("the tighter of two budgets", () => {
  it("has the smaller of each, and what only one of them limits", () => {
    const both = tighter({ tokens: 5, usd: 2 }, { tokens: 3, minutes: 9 });
    expect(both).toEqual({ tokens: 3, usd: 2, minutes: 9 });
  });

  it("leaves the rest of its time, never less than none", () => {
    const spent = { tokens: 0, usd: 0, minutes: 4 };
    expect(timeLeftMs({}, spent)).toBe(Infinity);
    expect(timeLeftMs({ minutes: 5 }, spent)).toBe(MINUTE);
    expect(timeLeftMs({ minutes: 3 }, spent)).toBe(0);
  });
});
