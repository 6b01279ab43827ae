import { describe, expect, it } from "vitest";
import { backoffMs } from "../../src/shared/backoff.ts";

const LIMITS = { firstMs: 2_000, longestMs: 60_000 };

describe("backoff", () => {
  it("doubles with each failure up to the longest pause", () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7].map((failures) => backoffMs(failures, LIMITS));
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it("is a number after any number of failures", () => {
    expect(backoffMs(5_000, LIMITS)).toBe(60_000);
    expect(backoffMs(5_000, { ...LIMITS, firstMs: 0 })).toBe(0);
  });
});
