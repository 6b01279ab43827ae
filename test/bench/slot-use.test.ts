import { describe, expect, it } from "vitest";
import type { AgentLife } from "../../bench/defaults/journal.ts";
import { slotUse } from "../../bench/defaults/slot-use.ts";

function life(id: string, [startedAt, endedAt]: readonly [number, number], path = id): AgentLife {
  return { id, path, startedAt, endedAt };
}

const NOTHING_LANDED = { landedAt: new Map<string, number>() };

describe("slotUse", () => {
  it("is full when every start follows an end at once", () => {
    const lives = [
      life("a", [0, 10]),
      life("b", [0, 10]),
      life("c", [10, 20]),
      life("d", [10, 20]),
    ];
    expect(slotUse(lives, 2, NOTHING_LANDED)).toEqual({
      mostAtOnce: 2,
      utilization: 2,
      utilizationWithin: 1,
      refillsMs: [0, 0],
      writtenByTwo: 0,
      redone: 0,
    });
  });

  it("measures how long a freed slot stays empty", () => {
    const lives = [
      life("a", [0, 10]),
      life("b", [0, 30]),
      life("c", [15, 20]),
      life("d", [40, 50]),
    ];
    const { refillsMs, utilizationWithin } = slotUse(lives, 2, NOTHING_LANDED);
    expect(refillsMs).toEqual([5, 20]);
    expect(utilizationWithin).toBeCloseTo(45 / 80);
  });

  it("counts from the landing that a card had to wait for", () => {
    const lives = [life("a", [0, 10], "x"), life("b", [18, 30], "x")];
    const landedAt = new Map([["a", 16]]);
    expect(slotUse(lives, 1, { landedAt })).toMatchObject({ refillsMs: [2], writtenByTwo: 0 });
    expect(slotUse(lives, 1, { landedAt: new Map([["a", 20]]) }).writtenByTwo).toBe(1);
  });

  it("sees what was done twice", () => {
    const lives = [life("a", [0, 10]), life("a", [20, 30]), life("b", [30, 40])];
    expect(slotUse(lives, 1, NOTHING_LANDED)).toMatchObject({ redone: 1, writtenByTwo: 0 });
  });
});
