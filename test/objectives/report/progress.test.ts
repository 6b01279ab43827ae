import { describe, expect, it } from "vitest";
import { instant } from "../../../src/domain/ids.ts";
import type { SubIssue } from "../../../src/domain/objective.ts";
import type { TaskState } from "../../../src/domain/task.ts";
import { isReached, partOf } from "../../../src/objectives/report/progress.ts";
import type { PartState } from "../../../src/objectives/report/progress.ts";
import { NOW, REPO, SUCCEEDED, aRun, aTask } from "../../support/builders.ts";

function subIssue(state: SubIssue["state"] = "open"): SubIssue {
  return { repo: REPO, number: 1, title: "Do it", state };
}

describe("partOf", () => {
  it.each<[SubIssue["state"], TaskState | undefined, PartState]>([
    ["open", undefined, "backlog"],
    ["open", "waiting", "at-work"],
    ["open", "running", "at-work"],
    ["open", "review", "at-work"],
    ["open", "queued", "at-work"],
    ["open", "failed", "given-up"],
    ["open", "cancelled", "backlog"],
    ["open", "landed", "landed"],
    ["completed", undefined, "landed"],
    ["completed", "failed", "landed"],
    ["not-planned", "running", "dropped"],
  ])("of an issue that is %s with a task that is %s is %s", (issue, state, expected) => {
    const task = state === undefined ? undefined : aTask({ state });
    expect(partOf(subIssue(issue), { task, runs: [] }).state).toBe(expected);
  });

  it("counts attempts and cost once the part has ended, not before", () => {
    const run = aRun({
      state: "finished",
      outcome: SUCCEEDED,
      startedAt: NOW,
      finishedAt: instant(NOW + 60_000),
      usage: { inputTokens: 10, cachedTokens: 0, outputTokens: 5, costUsd: 0.5 },
    });
    const runs = [run, { ...run, contender: 2 }, { ...run, attempt: 2 }];
    const working = partOf(subIssue(), { task: aTask({ state: "review" }), runs });
    expect([working.attempts, working.spent.minutes]).toEqual([0, 0]);
    const landed = partOf(subIssue(), { task: aTask({ state: "landed" }), runs });
    expect(landed.attempts).toBe(2);
    expect(landed.spent.minutes).toBeCloseTo(3);
  });
});

describe("isReached", () => {
  const parts = (...states: readonly PartState[]) =>
    states.map((state) => ({ ...partOf(subIssue(), { task: undefined, runs: [] }), state }));
  it.each<[readonly PartState[], boolean]>([
    [["landed", "landed"], true],
    [["landed", "dropped"], true],
    [["dropped", "dropped"], false],
    [[], false],
    [["landed", "given-up"], false],
    [["landed", "at-work"], false],
    [["landed", "backlog"], false],
  ])("by parts that are %j: %s", (states, reached) => {
    expect(isReached(parts(...states))).toBe(reached);
  });
});
