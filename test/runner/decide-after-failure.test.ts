import { describe, expect, it } from "vitest";
import { failureClassOf } from "../../src/domain/failure.ts";
import type { RunOutcome } from "../../src/domain/run.ts";
import { decideAfterFailure } from "../../src/runner/decide-after-failure.ts";
import type { FailedRun } from "../../src/runner/decide-after-failure.ts";
import { NOW, aTask } from "../support/builders.ts";

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
      ...{ attempts, backoffMs: 1000, maxBackoffMs: 60_000, same: 3 },
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
