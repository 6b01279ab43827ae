import { describe, expect, it } from "vitest";
import {
  decideReading,
  earliestReading,
  paidAfterReading,
} from "../../src/board/decide-reading.ts";
import type { ReadingSnapshot } from "../../src/board/decide-reading.ts";
import { instant } from "../../src/domain/ids.ts";
import { NOW, aCard, aReading, aSignal } from "../support/builders.ts";

const MINUTE_MS = 60_000;

function aSnapshot(members: Partial<ReadingSnapshot> = {}): ReadingSnapshot {
  return {
    now: NOW,
    reading: aReading({ readAt: NOW - MINUTE_MS }),
    readingsPaidUntil: instant(0),
    unread: false,
    isNews: true,
    signals: [],
    ...members,
  };
}

describe("decideReading", () => {
  it.each<[string, Partial<ReadingSnapshot>, string]>([
    ["was never read", { reading: undefined, isNews: false }, "read"],
    ["changed when it was not time to read it", { unread: true, isNews: false }, "read"],
    ["is not what woke us", { isNews: false, signals: [aSignal()] }, "keep"],
    ["changed, as a webhook says", { signals: [aSignal()] }, "read"],
    ["may have changed, as the timer says", {}, "ask"],
    [
      "was not read for a quarter of an hour",
      { reading: aReading({ readAt: NOW - 16 * MINUTE_MS }) },
      "read",
    ],
  ])("of a board that %s", (_, members, kind) => {
    expect(decideReading(aSnapshot(members))).toEqual({ kind });
  });
});

describe("earliestReading", () => {
  it("puts news of one moment together", () => {
    const reading = aReading({ readAt: NOW });
    expect(earliestReading(aSnapshot({ reading }))).toBe(NOW + 200);
  });

  it("lets a few readings follow each other at once, then makes the next one wait until one is paid for", () => {
    const cards = Array.from({ length: 100 }, () => aCard());
    const reading = aReading({ board: { cards, missingRoles: [] }, readAt: NOW - MINUTE_MS });
    let readingsPaidUntil = instant(0);
    const waits = [1, 2, 3, 4, 5, 6, 7].map(() => {
      const snapshot = aSnapshot({ reading, readingsPaidUntil });
      readingsPaidUntil = paidAfterReading(snapshot);
      return Math.max(0, earliestReading(snapshot) - NOW);
    });
    // A reading of a hundred cards takes five seconds of the budget.
    expect(waits).toEqual([0, 0, 0, 0, 0, 5_000, 10_000]);
  });
});
