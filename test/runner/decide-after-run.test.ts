import { describe, expect, it } from "vitest";
import { failureClassOf } from "../../src/domain/failure.ts";
import { instant } from "../../src/domain/ids.ts";
import type { RunOutcome } from "../../src/domain/run.ts";
import { mayFollow } from "../../src/domain/task.ts";
import type { TaskState } from "../../src/domain/task.ts";
import { decideAfterRun, decideAfterFailure } from "../../src/runner/decide-after-run.ts";
import type { FinishedRun, FailedRun } from "../../src/runner/decide-after-run.ts";
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
  it("names the runner that is not logged in, and what to do about it", () => {
    const outcome: RunOutcome = { kind: "not-logged-in", runner: "claude", keys: ["A"], tail: "" };
    const [, moved] = decideAfterRun(finished(outcome));
    expect(moved).toMatchObject({
      reason:
        "the runner claude is not logged in: its provider refused its key, or it has none; set A on the server, then say /retry",
    });
    const rework = { kind: "review", answers: [], feedback: [] } as const;
    const [, back] = decideAfterRun(finished(outcome, { run: aRun({ state: "running", rework }) }));
    expect(back).toMatchObject({ to: "review" });
  });

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
      outcome: { kind: "not-logged-in", runner: "claude", keys: ["KEY"], tail: "401" },
      to: "failed",
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

const AGENT: RunOutcome = { kind: "failed", exitCode: 1, tail: "no key" };
const OTHER: RunOutcome = { kind: "failed", exitCode: 2, tail: "syntax error" };
const NOTHING: RunOutcome = { kind: "no-changes", notes: "" };
const LOST: RunOutcome = { kind: "lost", reason: "no network" };
const VANISHED: RunOutcome = { kind: "lost", reason: "killed", vanished: true };
const STOPPED: RunOutcome = { kind: "lost", reason: "the app was stopped", interrupted: true };

function after(outcome: RunOutcome, earlier: readonly RunOutcome[], attempts = 10) {
  const failed: FailedRun = {
    task: aTask({
      state: "running",
      failures: earlier.filter((one) => one.kind !== "lost").length,
    }),
    what: "it failed",
    outcome,
    earlier,
    policy: {
      attempts,
      backoffMs: 1000,
      maxBackoffMs: 60_000,
      same: 3,
      classes: { "no-changes": 2, infrastructure: 3, vanished: 2 },
    },
    now: NOW,
    jitter: 1,
  };
  return decideAfterFailure(failed, failureClassOf(outcome) ?? "agent");
}

describe("decideAfterFailure", () => {
  it("counts the classes apart", () => {
    expect(after(NOTHING, [AGENT, OTHER])).toMatchObject({ to: "waiting" });
    expect(after(NOTHING, [AGENT, NOTHING, OTHER])).toMatchObject({
      to: "failed",
      reason: "it failed; gave up after 2 such runs",
    });
  });

  it("forgives a run that vanished once, and gives up after the second, whatever was in between", () => {
    expect(after(VANISHED, [LOST, LOST])).toMatchObject({ to: "waiting", set: {} });
    expect(after(VANISHED, [LOST, LOST])).not.toHaveProperty("set.failures");
    expect(after(VANISHED, [VANISHED, LOST, OTHER])).toMatchObject({
      to: "failed",
      reason: "it failed; gave up after 2 such runs",
    });
  });

  it("gives up when the attempts of all classes together are used up", () => {
    expect(after(NOTHING, [AGENT, OTHER], 3)).toMatchObject({
      to: "failed",
      reason: "it failed; gave up after 3 attempts",
    });
  });

  it("ends a task early that fails the same way again and again", () => {
    expect(after(AGENT, [AGENT])).toMatchObject({ to: "waiting" });
    expect(after(AGENT, [AGENT, AGENT])).toMatchObject({
      to: "failed",
      reason: expect.stringContaining("the same failure 3 times in a row") as string,
    });
  });

  it("does not end it when another failure was in between", () => {
    expect(after(AGENT, [AGENT, OTHER, AGENT])).toMatchObject({ to: "waiting" });
  });

  it("overlooks in a row of failures what the world did", () => {
    expect(after(AGENT, [AGENT, LOST, AGENT, STOPPED])).toMatchObject({ to: "failed" });
  });

  it("uses up no attempt for what the world did, and asks it less and less often", () => {
    const first = after(LOST, []);
    const second = after(LOST, [LOST, STOPPED]);
    expect(first).toMatchObject({ to: "waiting", set: { notBefore: NOW + 1000 } });
    expect(second).toMatchObject({ to: "waiting", set: { notBefore: NOW + 2000 } });
    expect(first).not.toHaveProperty("set.failures");
  });

  it("gives up in the end on a world that stays broken", () => {
    expect(after(LOST, [LOST, LOST])).toMatchObject({
      to: "failed",
      reason: "it failed; gave up after 3 such runs",
    });
  });
});
