import { describe, expect, it } from "vitest";
import {
  decideWhen,
  GITHUB_LIMITS,
  NO_LIMITS,
  NOTHING_SPENT,
  recall,
  spend,
} from "../../../../src/adapters/github/connection/decide-when.ts";
import type { Limits, Spent } from "../../../../src/adapters/github/connection/decide-when.ts";
import type { Weighed } from "../../../../src/adapters/github/connection/kind-of-write.ts";
import fc from "../../../support/fast-check.ts";

const COMMENT: Weighed = { api: "rest", kind: "comment", content: true };
const CHECK: Weighed = { api: "rest", kind: "check", content: true };
const MOVE: Weighed = { api: "graphql", kind: "landing", content: false };
const QUERY: Weighed = { api: "graphql", kind: "read", content: false };
const READ: Weighed = { api: "rest", kind: "read", content: false };

/** Each as soon as it may go after the pause before it. */
function paced(
  wanted: readonly { readonly pauseMs: number; readonly request: Weighed }[],
  limits: Limits = GITHUB_LIMITS,
): { readonly sent: readonly number[]; readonly spent: Spent } {
  const sent: number[] = [];
  let spent = NOTHING_SPENT;
  let now = 0;
  for (const { pauseMs, request } of wanted) {
    spent = recall(spent, now + pauseMs, limits);
    now = Math.max(now + pauseMs, decideWhen(request, spent, limits));
    spent = spend(recall(spent, now, limits), { ...request, at: now }, limits);
    sent.push(now);
  }
  return { sent, spent };
}

function atOnce(count: number, request: Weighed) {
  return Array.from({ length: count }, () => ({ pauseMs: 0, request }));
}

function mostWithin(times: readonly number[], windowMs: number): number {
  return Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + windowMs).length),
  );
}

describe("when a request may go", () => {
  it("never sends more than 10 writes and one a second, 80 a minute or 500 an hour of content", () => {
    const wish = fc.record({ pauseMs: fc.nat(3000), request: fc.constantFrom(COMMENT, MOVE) });
    fc.assert(
      fc.property(fc.array(wish, { minLength: 1, maxLength: 700 }), (wanted) => {
        const { sent } = paced(wanted);
        const content = sent.filter((_, n) => wanted[n]?.request.content);
        for (const seconds of [1, 7, 60]) {
          expect(mostWithin(sent, seconds * 1000)).toBeLessThanOrEqual(10 + seconds);
        }
        expect(mostWithin(content, 60_000)).toBeLessThanOrEqual(80);
        expect(mostWithin(content, 3_600_000)).toBeLessThanOrEqual(500);
      }),
      { numRuns: 30 },
    );
  });

  it("lets ten writes go at once, then one a second, and ten again after a rest", () => {
    const { sent } = paced([
      ...atOnce(12, CHECK),
      { pauseMs: 10_000, request: CHECK },
      ...atOnce(9, CHECK),
    ]);
    expect(sent.slice(0, 12)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1000, 2000]);
    expect(sent.slice(12)).toEqual(Array(10).fill(12_000));
  });

  it("keeps half of what may go at once for work: cards and comments begin to wait sooner", () => {
    const { spent, sent } = paced(atOnce(6, COMMENT));
    expect(sent).toEqual([0, 0, 0, 0, 0, 1000]);
    expect(decideWhen(CHECK, spent, GITHUB_LIMITS)).toBeLessThanOrEqual(0);
  });

  it("holds content to 500 an hour, and nothing else with it", () => {
    const { spent, sent } = paced(atOnce(500, CHECK));
    const last = sent.at(-1) ?? 0;
    const then = recall(spent, last + 60_000, GITHUB_LIMITS);
    expect(decideWhen(CHECK, then, GITHUB_LIMITS)).toBe(3_601_000);
    for (const other of [MOVE, QUERY, READ]) {
      expect(decideWhen(other, then, GITHUB_LIMITS)).toBeLessThanOrEqual(last + 60_000);
    }
  });

  it("keeps the last hundred of an hour from comments: pull requests and checks go on", () => {
    const { spent, sent } = paced(atOnce(400, COMMENT));
    const now = (sent.at(-1) ?? 0) + 60_000;
    const then = recall(spent, now, GITHUB_LIMITS);
    expect(decideWhen(COMMENT, then, GITHUB_LIMITS)).toBe(3_601_000);
    expect(decideWhen(CHECK, then, GITHUB_LIMITS)).toBeLessThanOrEqual(now);
  });

  it("lets reads go whatever was written, until a minute's points are used up", () => {
    const { spent } = paced(atOnce(10, MOVE));
    expect(decideWhen(QUERY, spent, GITHUB_LIMITS)).toBeLessThanOrEqual(0);
    const { spent: queried } = paced(atOnce(1995, QUERY));
    expect(decideWhen(MOVE, queried, GITHUB_LIMITS)).toBeLessThanOrEqual(0);
    const full = spend(queried, { ...MOVE, at: 30_000 }, GITHUB_LIMITS);
    expect(decideWhen(QUERY, full, GITHUB_LIMITS)).toBe(61_000);
    expect(decideWhen(READ, full, GITHUB_LIMITS)).toBeLessThanOrEqual(0);
    const { spent: read } = paced(atOnce(900, READ));
    expect(decideWhen(READ, read, GITHUB_LIMITS)).toBe(61_000);
  });

  it("waits as long as GitHub asked, by the interface that it was asked for, and for an hour at most", () => {
    const paused = { ...NOTHING_SPENT, pausedUntil: { rest: 90_000, graphql: -Infinity } };
    expect(decideWhen(READ, paused, GITHUB_LIMITS)).toBe(90_000);
    expect(decideWhen(MOVE, paused, GITHUB_LIMITS)).toBe(-Infinity);
    const endless = { ...NOTHING_SPENT, pausedUntil: { rest: 1e15, graphql: -Infinity } };
    const known = recall(endless, 5000, GITHUB_LIMITS);
    expect(decideWhen(READ, known, GITHUB_LIMITS)).toBe(3_605_000);
  });

  it("forgets what lies ahead when the clock was set back", () => {
    const { spent } = paced(atOnce(520, CHECK));
    const earlier = recall(spent, -86_400_000, GITHUB_LIMITS);
    expect(decideWhen(CHECK, earlier, GITHUB_LIMITS)).toBeLessThanOrEqual(-86_399_000);
  });

  it("holds nothing back where there are no limits, a pause neither", () => {
    const { sent, spent } = paced(atOnce(600, COMMENT), NO_LIMITS);
    expect(sent.every((at) => at === 0)).toBe(true);
    const paused = { ...spent, pausedUntil: { rest: 90_000, graphql: 90_000 } };
    expect(decideWhen(MOVE, recall(paused, 7, NO_LIMITS), NO_LIMITS)).toBeLessThanOrEqual(7);
  });
});
