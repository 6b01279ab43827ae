import { describe, expect, it } from "vitest";
import { plannableTasks, parseTaskFile } from "../../../src/cli/input/task-file.ts";
import { maxParallel, serialTime } from "../../../src/cli/trial/spans.ts";
import type { Span } from "../../../src/cli/trial/spans.ts";
import { taskResult, speedUps } from "../../../src/cli/try/result.ts";
import type { Measured } from "../../../src/cli/try/result.ts";
import { instant, runId, taskId } from "../../../src/domain/ids.ts";
import { prepareBacklog } from "../../../src/planner/waves/backlog.ts";
import { NOW, SUCCEEDED, aRun, aTask, shaOf } from "../../support/builders.ts";

function span(startedAt: number, finishedAt: number, kind: Span["kind"] = "run"): Span {
  return { task: "t", kind, startedAt, finishedAt };
}

const at = (ms: number) => instant(NOW + ms);
const iso = (ms: number) => new Date(NOW + ms).toISOString();

const SEEN = { whereabouts: "landed", why: "landed" } as const;

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
      state: "landed",
      reason: "landed",
      attempts: 2,
      pull: 11,
      landedSha: shaOf(9),
      changedAt: at(9),
    });
    const landing = [span(0, 40, "verify")];
    expect(taskResult("a", task, { runs, landing, wave: 2, ...SEEN })).toEqual({
      id: "a",
      state: "landed",
      whereabouts: "landed",
      outcome: "succeeded",
      reason: "landed",
      attempts: 2,
      wave: 2,
      runner: "shell",
      tail: [],
      log: null,
      pr: 11,
      startedAt: iso(1),
      finishedAt: iso(4),
      landedAt: iso(9),
      landedSha: shaOf(9),
      agentMs: 2,
      verifyMs: 40,
      usage: null,
    });
  });

  it("tells an agent's time from that of its verification, and adds up what the runner told", () => {
    const usage = { inputTokens: 10, outputTokens: 2, cachedTokens: 0, costUsd: 0.25 };
    const run = aRun({
      state: "finished",
      startedAt: at(0),
      agentEndedAt: at(7),
      finishedAt: at(10),
    });
    const runs = [
      { ...run, usage },
      { ...run, id: runId("2"), usage: { ...usage, costUsd: undefined } },
    ];
    const past = { runs, landing: [], wave: null, ...SEEN };
    expect(taskResult("a", aTask(), past)).toMatchObject({
      agentMs: 14,
      verifyMs: 6,
      usage: { inputTokens: 20, outputTokens: 4, costUsd: 0.25 },
    });
  });

  it("has null for what did not happen", () => {
    for (const task of [aTask({ state: "blocked" }), undefined]) {
      expect(taskResult("a", task, { runs: [], landing: [], wave: null, ...SEEN })).toMatchObject({
        id: "a",
        outcome: null,
        wave: null,
        pr: null,
        startedAt: null,
        finishedAt: null,
        landedAt: null,
        landedSha: null,
      });
    }
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

function backlogOf(file: string) {
  const parsed = parseTaskFile(file, "tasks");
  if (!parsed.ok) throw new Error(parsed.error.join("\n"));
  return prepareBacklog(plannableTasks(parsed.value), { slots: 2 });
}

function spanOf(id: string, kind: Span["kind"], [from, to]: readonly [number, number]) {
  return { id, task: id, kind, startedAt: from, finishedAt: to };
}

const DISJOINT = backlogOf("- { id: a, files: [a] }\n- { id: b, files: [b] }\n");
const BOTH: Measured = {
  spans: [
    spanOf("a", "run", [0, 100]),
    spanOf("b", "run", [50, 150]),
    spanOf("a", "verify", [110, 130]),
    spanOf("b", "verify", [160, 180]),
  ],
  pauses: new Map(),
  landed: new Set(["a", "b"]),
  wallTimeMs: 200,
};

describe("speedUps", () => {
  it("plays the measured runs on all slots and lands one after the other", () => {
    const { speedUp, speedUpAllowed } = speedUps(BOTH, { backlog: DISJOINT, slots: 2 });
    expect(speedUp).toBe(240 / 200);
    expect(speedUpAllowed).toBe(240 / 140);
  });

  it("allows less when the plan keeps tasks apart", () => {
    const backlog = backlogOf("- { id: a, files: [x] }\n- { id: b, files: [x] }\n");
    expect(speedUps(BOTH, { backlog, slots: 2 }).speedUpAllowed).toBe(1);
    expect(speedUps(BOTH, { backlog: DISJOINT, slots: 1 }).speedUpAllowed).toBe(240 / 220);
  });

  it("counts a further attempt with the pause before it", () => {
    const spans = [...BOTH.spans, spanOf("b", "run", [190, 290])];
    const measured = { ...BOTH, spans, pauses: new Map([["b", [30]]]), wallTimeMs: 300 };
    const { speedUpAllowed } = speedUps(measured, { backlog: DISJOINT, slots: 2 });
    expect(speedUpAllowed).toBe(340 / 250);
  });

  it("is a number when nothing has happened", () => {
    const nothing = { spans: [], pauses: new Map(), landed: new Set<string>(), wallTimeMs: 0 };
    expect(speedUps(nothing, { backlog: DISJOINT, slots: 2 })).toEqual({
      speedUp: 0,
      speedUpAllowed: 0,
    });
  });
});
