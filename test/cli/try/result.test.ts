import { describe, expect, it } from "vitest";
import { maxParallel, serialTime, taskResult } from "../../../src/cli/try/result.ts";
import type { Span } from "../../../src/cli/try/result.ts";
import { instant, runId, taskId } from "../../../src/domain/ids.ts";
import { NOW, SUCCEEDED, aRun, aTask, shaOf } from "../../support/builders.ts";

function span(startedAt: number, finishedAt: number, kind: Span["kind"] = "run"): Span {
  return { task: "t", kind, startedAt, finishedAt };
}

const at = (ms: number) => instant(NOW + ms);
const iso = (ms: number) => new Date(NOW + ms).toISOString();

describe("taskResult", () => {
  it("spans all attempts of a landed task", () => {
    const runs = [
      aRun({
        state: "finished",
        startedAt: at(1),
        finishedAt: at(2),
        outcome: { kind: "no-changes", notes: "" },
      }),
      aRun({
        id: runId("2"),
        state: "finished",
        startedAt: at(3),
        finishedAt: at(4),
        outcome: SUCCEEDED,
      }),
      aRun({ id: runId("3"), task: taskId("octo/app#2"), startedAt: at(0) }),
    ];
    const task = aTask({
      ...{ state: "landed", reason: "landed", attempts: 2, pull: 11 },
      ...{ landedSha: shaOf(9), changedAt: at(9) },
    });
    expect(taskResult("a", task, { runs, wave: 2 })).toEqual({
      ...{ id: "a", state: "landed", outcome: "succeeded", reason: "landed", attempts: 2 },
      ...{ wave: 2, pr: 11, startedAt: iso(1), finishedAt: iso(4) },
      ...{ landedAt: iso(9), landedSha: shaOf(9) },
    });
  });

  it("has null for what did not happen", () => {
    expect(taskResult("a", aTask({ state: "blocked" }), { runs: [], wave: null })).toMatchObject({
      ...{ outcome: null, wave: null, pr: null, startedAt: null },
      ...{ finishedAt: null, landedAt: null, landedSha: null },
    });
  });
});

describe("maxParallel", () => {
  it.each([
    { spans: [], most: 0 },
    { spans: [span(0, 5)], most: 1 },
    { spans: [span(0, 5), span(5, 9)], most: 1 },
    { spans: [span(0, 5), span(4, 9), span(4, 6)], most: 3 },
    { spans: [span(0, 9), span(1, 2), span(3, 4)], most: 2 },
    { spans: [span(0, 9), span(0, 9, "verify")], most: 1 },
  ])("is $most for $spans", ({ spans, most }) => {
    expect(maxParallel(spans)).toBe(most);
  });
});

describe("serialTime", () => {
  it("adds up runs and verifications", () => {
    expect(serialTime([span(0, 5), span(2, 4, "verify")])).toBe(7);
    expect(serialTime([])).toBe(0);
  });
});
