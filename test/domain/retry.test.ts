import { describe, expect, it } from "vitest";
import { instant, taskId } from "../../src/domain/ids.ts";
import { retryLater, retryOrGiveUp, afterConflict } from "../../src/domain/retry.ts";
import type { Failure } from "../../src/domain/retry.ts";
import { NOW, aTask, aCandidate, anEntry } from "../support/builders.ts";

const POLICY = { attempts: 3, backoffMs: 1000, maxBackoffMs: 5000 };

function failure(members: Partial<Failure> = {}): Failure {
  const task = aTask({ state: "running" });
  return { task, what: "it failed", policy: POLICY, now: NOW, jitter: 1, ...members };
}

describe("retryOrGiveUp", () => {
  it.each([
    { failures: 0, jitter: 1, pause: 1000 },
    { failures: 0, jitter: 0, pause: 500 },
    { failures: 1, jitter: 1, pause: 2000 },
    { failures: 1, jitter: 0.5, pause: 1500 },
  ])(
    "waits $pause ms after failure $failures and a draw of $jitter",
    ({ failures, jitter, pause }) => {
      const task = aTask({ state: "running", failures });
      expect(retryOrGiveUp(failure({ task, jitter }))).toMatchObject({
        from: "running",
        to: "waiting",
        set: { failures: failures + 1, notBefore: NOW + pause },
      });
    },
  );

  it("never waits longer than the cap, however often it failed", () => {
    const policy = { ...POLICY, attempts: 100_000 };
    for (const failures of [3, 40, 5000]) {
      const task = aTask({ state: "running", failures });
      expect(retryOrGiveUp(failure({ task, policy }))).toMatchObject({
        set: { notBefore: NOW + 5000 },
      });
    }
  });

  it("waits not at all without a backoff, however often it failed", () => {
    const policy = { attempts: 100_000, backoffMs: 0, maxBackoffMs: 5000 };
    const task = aTask({ state: "running", failures: 5000 });
    expect(retryOrGiveUp(failure({ task, policy }))).toMatchObject({ set: { notBefore: NOW } });
  });

  it.each([
    { limit: 1, failures: 0, words: "it failed; gave up after 1 attempt" },
    { limit: 3, failures: 2, words: "it failed; gave up after 3 attempts" },
    { limit: 2, failures: 7, words: "it failed; gave up after 8 attempts" },
  ])("gives up at the limit of $limit", ({ limit, failures, words }) => {
    const task = aTask({ state: "queued", failures });
    const change = retryOrGiveUp(failure({ task, policy: { ...POLICY, attempts: limit } }));
    expect(change).toMatchObject({ from: "queued", to: "failed", reason: words });
  });

  it("says which attempt follows", () => {
    expect(retryOrGiveUp(failure())).toMatchObject({
      reason: "it failed; attempt 2 of 3 follows",
    });
  });
});

describe("retryLater", () => {
  it("uses up no attempt", () => {
    const task = aTask({ state: "running", attempts: 3, failures: 2 });
    expect(retryLater(failure({ task }), 1)).toMatchObject({
      to: "waiting",
      set: { notBefore: NOW + 1000 },
    });
    expect(retryLater(failure({ task }), 1)).not.toHaveProperty("set.failures");
  });

  it("asks a world that stays broken less and less often", () => {
    const pauses = [1, 2, 3, 4, 9, 5000].map((times) => {
      const change = retryLater(failure(), times);
      return change.kind === "task-moved" ? (change.set.notBefore ?? 0) - NOW : undefined;
    });
    expect(pauses).toEqual([1000, 2000, 4000, 5000, 5000, 5000]);
  });
});

const task = aTask({ state: "queued", failures: 1, readySince: instant(1000) });
const policy = { attempts: 2, backoffMs: 100, maxBackoffMs: 1000 };
const conflicted = { task, what: "#11 conflicts", policy, now: instant(5000), jitter: 1 };
const conflict = anEntry({ state: "rejected", candidate: undefined, enqueuedAt: instant(2000) });

describe("afterConflict", () => {
  it("tries again later each time and uses up no attempt", () => {
    const first = afterConflict(conflicted, { entries: [], limit: 2 });
    expect(first).toMatchObject({ to: "waiting", set: { notBefore: 5100 } });
    expect(first).not.toHaveProperty("set.failures");
    const second = afterConflict(conflicted, { entries: [conflict], limit: 2 });
    expect(second).toMatchObject({ to: "waiting", set: { notBefore: 5200 } });
  });

  it("gives up after as many runs as may work on it", () => {
    expect(afterConflict(conflicted, { entries: [conflict, conflict], limit: 2 })).toMatchObject({
      to: "failed",
      reason: "#11 conflicts; gave up after 2 runs worked on a conflict, which is the limit",
    });
  });

  it.each([
    ["another task's", { task: taskId("acme/shop#99") }],
    ["one from before a person asked again", { enqueuedAt: instant(999) }],
    ["a change that failed its verification", { candidate: aCandidate() }],
    ["a change that is still under way", { state: "queued" as const }],
  ])("does not count %s", (_, members) => {
    const entries = [{ ...conflict, ...members }];
    expect(afterConflict(conflicted, { entries, limit: 1 })).toMatchObject({ to: "waiting" });
  });
});
