import { describe, expect, it } from "vitest";
import { instant } from "../../../src/domain/ids.ts";
import { limitIn } from "../../../src/runner/presets/provider-limit.ts";

const NOON = instant(new Date(2026, 0, 5, 12, 0).getTime());
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("limitIn", () => {
  it.each([
    ["Too Many Requests", undefined],
    ["429 try again in 3 days 4 hours 5 minutes.", 76 * HOUR + 5 * MINUTE],
    ["Rate limit reached. Please try again in 1m30.5s", 90_500],
    ["rate_limit: retry-after: 60", MINUTE],
    ["429 Retry-After=2", 2000],
    ['quota {"retryDelay":"35s"}', 35_000],
    ["rate limited, try again in 250ms", 250],
    [`usage limit resets_at: ${(NOON + HOUR) / 1000}`, HOUR],
    [`usage_limit {"resetsAt":${NOON + HOUR}}`, HOUR],
    [`quota, resets at ${new Date(NOON + HOUR).toISOString()}`, HOUR],
    ["You’ve hit your usage limit, try again at 6:54 PM.", 6 * HOUR + 54 * MINUTE],
    ["You’ve hit your usage limit, try again at 6:54 AM.", 18 * HOUR + 54 * MINUTE],
    ["usage limit: try again at Jan 7th, 2026 12:00 PM", 48 * HOUR],
    ["429 try again in 900000 days", undefined],
    [`usage limit reached|${NOON / 1000 - 60}`, undefined],
  ])("reads %j", (words, wait) => {
    const until = wait === undefined ? undefined : NOON + wait;
    expect(limitIn(words, NOON)).toEqual({ until });
  });

  it.each(["", "high demand, try again in 5m", "HTTP 500", "error 4290"])(
    "finds none in %j",
    (words) => {
      expect(limitIn(words, NOON)).toBeUndefined();
    },
  );

  it("is quick on words that are made to be slow", () => {
    const before = process.cpuUsage();
    for (const piece of ["1 d", "retry after ", "9", "again in 1", "reset"]) {
      limitIn(`429 again in ${piece.repeat(20_000)}`, NOON);
    }
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(2000);
  });
});
