import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  GITHUB_WRITES,
  nextWriteAt,
  rememberWrite,
} from "../../../src/adapters/github/write-budget.ts";

/** Writes as soon as each may go, from the moments at which they were wanted. */
function paced(wanted: readonly number[]): readonly number[] {
  const sent: number[] = [];
  let known: readonly number[] = [];
  let now = 0;
  for (const pause of wanted) {
    now = nextWriteAt(known, now + pause, GITHUB_WRITES);
    known = rememberWrite(known, now);
    sent.push(now);
  }
  return sent;
}

function mostWithin(times: readonly number[], windowMs: number): number {
  return Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + windowMs).length),
  );
}

describe("the budget of writes", () => {
  it("never sends two within a second, more than 80 a minute or 500 an hour", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3000), { minLength: 1, maxLength: 700 }), (wanted) => {
        const sent = paced(wanted);
        expect(mostWithin(sent, 1000)).toBe(1);
        expect(mostWithin(sent, 60_000)).toBeLessThanOrEqual(80);
        expect(mostWithin(sent, 3_600_000)).toBeLessThanOrEqual(500);
      }),
      { numRuns: 30 },
    );
  });

  it("lets a write go at once when there was none for a while", () => {
    expect(nextWriteAt([], 5000, GITHUB_WRITES)).toBe(5000);
    expect(nextWriteAt([1000], 5000, GITHUB_WRITES)).toBe(5000);
    expect(nextWriteAt([4500], 5000, GITHUB_WRITES)).toBe(5500);
  });
});
