import { describe, expect, it } from "vitest";
import { instant } from "../../src/domain/ids.ts";
import type { RunOutcome } from "../../src/domain/run.ts";
import { mayFollow } from "../../src/domain/task.ts";
import type { TaskState } from "../../src/domain/task.ts";
import { decideAfterRun } from "../../src/runner/decide-after-run.ts";
import type { FinishedRun } from "../../src/runner/decide-after-run.ts";
import { NOW, SUCCEEDED, aRun, aTask } from "../support/builders.ts";

function finished(outcome: RunOutcome, members: Partial<FinishedRun> = {}): FinishedRun {
  return {
    task: aTask({ state: "running", attempts: 1 }),
    run: aRun({ state: "running" }),
    outcome,
    pull: undefined,
    earlier: [],
    policy: { attempts: 3, backoffMs: 1000, maxBackoffMs: 5000, same: 3, classes: {} },
    now: NOW,
    jitter: 1,
    ...members,
  };
}

const LATER = instant(NOW + 3_600_000);

describe("decideAfterRun", () => {
  it.each<{ outcome: RunOutcome; to: TaskState; set: object }>([
    { outcome: SUCCEEDED, to: "review", set: { branch: "wavetrain/1", notBefore: null } },
    { outcome: { kind: "cancelled", reason: "taken away" }, to: "cancelled", set: {} },
    { outcome: { kind: "lost", reason: "gone" }, to: "waiting", set: { notBefore: NOW + 1000 } },
    {
      outcome: { kind: "lost", reason: "the app was stopped", interrupted: true },
      to: "waiting",
      set: { notBefore: null },
    },
    {
      outcome: { kind: "provider-limited", until: LATER },
      to: "waiting",
      set: { notBefore: null },
    },
    ...(
      [
        { kind: "no-changes", notes: "" },
        { kind: "out-of-scope", paths: ["a.ts"] },
        { kind: "verify-failed", tail: "" },
        { kind: "failed", exitCode: 1, tail: "" },
        { kind: "timed-out", afterMs: 1 },
        { kind: "stalled", afterMs: 1 },
      ] satisfies RunOutcome[]
    ).map((outcome) => ({
      outcome,
      to: "waiting" as const,
      set: { failures: 1, notBefore: NOW + 1000 },
    })),
  ])("moves the task to $to after $outcome.kind", ({ outcome, to, set }) => {
    const [ended, moved] = decideAfterRun(finished(outcome));
    expect(ended).toEqual({ kind: "run-finished", run: "run-1", outcome, at: NOW });
    expect(moved).toMatchObject({ kind: "task-moved", from: "running", to, set, at: NOW });
    expect(moved).toHaveProperty("set", set);
    expect(mayFollow("running", to)).toBe(true);
  });

  it("remembers the pull request of a success and says that it waits", () => {
    expect(decideAfterRun(finished(SUCCEEDED, { pull: 11 }))[1]).toMatchObject({
      reason: "#11 waits for a review",
      set: { pull: 11 },
    });
  });

  it("keeps the pull request that the task already has when none was opened", () => {
    expect(decideAfterRun(finished(SUCCEEDED))[1]).not.toHaveProperty("set.pull");
  });

  it("gives the task up when its last attempt fails", () => {
    const task = aTask({ state: "running", failures: 2 });
    expect(decideAfterRun(finished({ kind: "no-changes", notes: "" }, { task }))[1]).toMatchObject({
      to: "failed",
      set: { failures: 3 },
    });
  });
});
