import { describe, expect, it } from "vitest";
import { instant, runId } from "../../../src/domain/ids.ts";
import type { Run, RunOutcome } from "../../../src/domain/run.ts";
import { decideGoingOn } from "../../../src/runner/agent/going-on.ts";
import { SUCCEEDED, aRun } from "../../support/builders.ts";

const STARTED = instant(5000);
const NEXT = aRun({ runner: "codex" });
const REWORK = { ...NEXT, rework: { kind: "review", answers: [], feedback: [] } } as const;
const RED: RunOutcome = { kind: "verify-failed", tail: "" };
const FAILED: RunOutcome = { kind: "failed", exitCode: 1, tail: "oops" };
const LIMITED: RunOutcome = { kind: "provider-limited", until: undefined };
const LOST: RunOutcome = { kind: "lost", reason: "the host was off" };

function ended(id: string, outcome: RunOutcome, over: Partial<Run> = {}): Run {
  const past = { runner: "codex", session: `session of ${id}`, workspace: "/trees/1" };
  return aRun({ id: runId(id), outcome, state: "finished", startedAt: STARTED, ...past, ...over });
}

function after(own: readonly Run[], run: Pick<Run, "runner" | "rework"> = NEXT, retry = CONTINUE) {
  const { session, work } = decideGoingOn(run, { own }, { retry });
  return { session: session?.id, work: work.map(({ id }) => id) };
}

const CONTINUE = "continue" as "continue" | "fresh";
const NOTHING = { session: undefined, work: [] };

describe("decideGoingOn", () => {
  it("takes up nothing on the first attempt", () => {
    expect(after([])).toEqual(NOTHING);
  });

  it.each<RunOutcome>([
    RED,
    { kind: "out-of-scope", paths: ["a"] },
    { kind: "timed-out", afterMs: 1 },
    { kind: "stalled", afterMs: 1 },
    { kind: "no-changes", notes: "" },
    LIMITED,
    LOST,
  ])("goes on with conversation and work after $kind", (outcome) => {
    const [run] = [ended("1", outcome)];
    expect(decideGoingOn(NEXT, { own: [run] }, { retry: "continue" })).toEqual({
      session: { id: "session of 1", workspace: "/trees/1" },
      work: [{ id: "1", since: STARTED }],
    });
  });

  it.each<RunOutcome>([
    FAILED,
    { kind: "cancelled", reason: "by a person" },
    { kind: "disk-limit", limitBytes: 1 },
  ])("starts afresh after $kind: the conversation or the work may be what is wrong", (outcome) => {
    expect(after([ended("1", outcome)])).toEqual(NOTHING);
  });

  it("looks past an attempt that its setup ended: no runner was at work in it", () => {
    const own = [ended("2", { ...FAILED, unprepared: true }), ended("1", RED)];
    expect(after(own)).toEqual({ session: "session of 1", work: ["1"] });
  });

  it("looks back over interruptions, and no further", () => {
    const silent = { session: undefined };
    const own = [ended("3", LOST, silent), ended("2", LIMITED, silent), ended("1", RED)];
    const told = { session: "session of 1", work: ["3", "2", "1"] };
    expect(after([...own, ended("0", RED)])).toEqual(told);
    expect(after([ended("2", LIMITED), ended("1", FAILED)])).toEqual({
      session: "session of 2",
      work: ["2"],
    });
    expect(after([ended("2", RED, silent), ended("1", RED)])).toEqual({
      session: undefined,
      work: ["2"],
    });
  });

  it("leaves another runner's conversation alone, and goes on with its work", () => {
    const told = { session: undefined, work: ["1"] };
    expect(after([ended("1", RED, { runner: "claude" })])).toEqual(told);
  });

  it("resumes after a review, whose work is in the pull request", () => {
    expect(after([ended("1", SUCCEEDED)], REWORK)).toEqual({ session: "session of 1", work: [] });
    expect(after([ended("1", SUCCEEDED)])).toEqual({ session: "session of 1", work: [] });
  });

  it("starts afresh after a failure where the repository wants it so, not after an interruption or a review", () => {
    expect(after([ended("1", RED)], NEXT, "fresh")).toEqual(NOTHING);
    expect(after([ended("1", LIMITED)], NEXT, "fresh")).toMatchObject({ work: ["1"] });
    expect(after([ended("2", LIMITED), ended("1", RED)], NEXT, "fresh")).toMatchObject({
      work: ["2"],
    });
    expect(after([ended("1", RED)], REWORK, "fresh")).toMatchObject({ session: "session of 1" });
  });
});
