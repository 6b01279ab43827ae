import { describe, expect, it } from "vitest";
import { retryLater, retryOrGiveUp } from "../../src/domain/retry.ts";
import type { Failure } from "../../src/domain/retry.ts";
import { NOW, aTask } from "../support/builders.ts";

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
