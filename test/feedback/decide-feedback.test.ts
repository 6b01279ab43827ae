import { describe, expect, it } from "vitest";
import { instant, runId } from "../../src/domain/ids.ts";
import type { Run } from "../../src/domain/run.ts";
import { decideFeedback } from "../../src/feedback/decide-feedback.ts";
import type { FeedbackSnapshot } from "../../src/feedback/decide-feedback.ts";
import { NOW, SUCCEEDED, aPull, aRun, aTask, shaOf } from "../support/builders.ts";

const LATER = instant(NOW + 600_000);
const FIRST = aRun({ state: "finished", outcome: SUCCEEDED, queuedAt: NOW });
const REQUEST = { id: "review-1", at: NOW + 60_000 };

function round(number: number, members: Partial<Run> = {}): Run {
  const rework = { kind: "review", answers: [`review-${number}`], feedback: [] } as const;
  const id = runId(`run-${number + 1}`);
  return { ...FIRST, id, attempt: number + 1, rework, ...members };
}

function decideOn(members: Partial<FeedbackSnapshot> = {}) {
  return decideFeedback({
    now: LATER,
    readAt: LATER,
    task: aTask({ state: "review", pull: 11 }),
    pull: aPull({ review: "changes-requested", changesRequested: [REQUEST] }),
    runs: [FIRST],
    feedback: { quiet: 120_000, limit: { reviews: 2, checks: 1, conflicts: 3 } },
    ...members,
  });
}

describe("decideFeedback", () => {
  it("looks at what was said once nobody has added to it for a while", () => {
    expect(decideOn()).toEqual({ kind: "look", at: "review", asked: ["review-1"] });
    const soon = instant(NOW + 61_000);
    const reason = "changes are requested on #11; a run starts after 2 min of quiet";
    expect(decideOn({ now: soon })).toEqual({ kind: "wait", until: NOW + 180_000, reason });
  });

  it("waits longer when somebody adds to it, whatever was said before about the time", () => {
    const task = aTask({ state: "review", pull: 11, notBefore: instant(NOW + 180_000) });
    const pull = aPull({ changesRequested: [{ id: "review-2", at: NOW + 90_000 }] });
    const now = instant(NOW + 91_000);
    expect(decideOn({ task, pull, now })).toMatchObject({ kind: "wait", until: NOW + 210_000 });
  });

  it("lets a request that was worked on rest, but not when that run failed", () => {
    expect(decideOn({ runs: [FIRST, round(1)] })).toEqual({ kind: "none" });
    const failed = round(1, { outcome: { kind: "failed", exitCode: 1, tail: "" } });
    expect(decideOn({ runs: [FIRST, failed] })).toMatchObject({ kind: "look" });
  });

  it("does not hold against a new change what was said of the one before", () => {
    const anew = aRun({ ...FIRST, attempt: 2, queuedAt: instant(NOW + 90_000) });
    expect(decideOn({ runs: [FIRST, anew] })).toEqual({ kind: "none" });
  });

  it("says so when as many runs as may have worked on requests", () => {
    const pull = aPull({ changesRequested: [{ id: "review-3", at: NOW + 70_000 }] });
    expect(decideOn({ pull, runs: [FIRST, round(1), round(2)] })).toEqual({
      kind: "give-up",
      reason: "changes are requested on #11 after 2 runs worked on that, which is the limit",
    });
  });

  it("does not count runs that were interrupted", () => {
    const lost = { kind: "lost", reason: "stopped", interrupted: true } as const;
    const runs = [FIRST, round(1, { outcome: lost }), round(1, { outcome: lost })];
    expect(decideOn({ runs })).toMatchObject({ kind: "look" });
  });

  it("waits for the pause after a failure, and reads again what is older than that", () => {
    const task = aTask({ state: "review", pull: 11, notBefore: instant(LATER + 1) });
    expect(decideOn({ task })).toEqual({ kind: "wait", until: LATER + 1 });
    const failed = round(1, { outcome: { kind: "failed", exitCode: 1, tail: "" } });
    expect(decideOn({ readAt: NOW, runs: [FIRST, failed] })).toEqual({ kind: "read-again" });
    expect(decideOn({ readAt: NOW, pull: aPull() })).toEqual({ kind: "none" });
  });

  it("reads again when a reviewer was faster than the end of the run", () => {
    expect(decideOn({ readAt: NOW })).toEqual({ kind: "read-again" });
    expect(decideOn({ readAt: NOW, runs: [FIRST, round(1)] })).toEqual({ kind: "none" });
  });

  it("looks at failed checks once for each head", () => {
    const pull = aPull({ review: "none", checksFailed: true });
    const asked = [`checks of ${shaOf(7)}`];
    expect(decideOn({ pull })).toEqual({ kind: "look", at: "checks", asked });
    const answer = { kind: "checks", answers: asked, feedback: [] } as const;
    expect(decideOn({ pull, runs: [FIRST, round(1, { rework: answer })] })).toEqual({
      kind: "none",
    });
  });
});
