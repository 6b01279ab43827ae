import { describe, expect, it } from "vitest";
import { afterConflict } from "../../src/domain/after-conflict.ts";
import { instant, taskId } from "../../src/domain/ids.ts";
import { aCandidate, anEntry, aTask } from "../support/builders.ts";

const task = aTask({ state: "queued", failures: 1, readySince: instant(1000) });
const policy = { attempts: 2, backoffMs: 100, maxBackoffMs: 1000 };
const failure = { task, what: "#11 conflicts", policy, now: instant(5000), jitter: 1 };
const conflict = anEntry({ state: "rejected", candidate: undefined, enqueuedAt: instant(2000) });

describe("afterConflict", () => {
  it("tries again later each time and uses up no attempt", () => {
    const first = afterConflict(failure, { entries: [], limit: 2 });
    expect(first).toMatchObject({ to: "waiting", set: { notBefore: 5100 } });
    expect(first).not.toHaveProperty("set.failures");
    const second = afterConflict(failure, { entries: [conflict], limit: 2 });
    expect(second).toMatchObject({ to: "waiting", set: { notBefore: 5200 } });
  });

  it("gives up after as many runs as may work on it", () => {
    expect(afterConflict(failure, { entries: [conflict, conflict], limit: 2 })).toMatchObject({
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
    expect(afterConflict(failure, { entries, limit: 1 })).toMatchObject({ to: "waiting" });
  });
});
