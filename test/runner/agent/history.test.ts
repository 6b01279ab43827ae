import { describe, expect, it } from "vitest";
import { runId, taskId } from "../../../src/domain/ids.ts";
import type { RepoMemory } from "../../../src/ports/store.ts";
import { historyOf, resumableSession } from "../../../src/runner/agent/history.ts";
import { SUCCEEDED, aMemory, aRun, aTask, anEntry, someEvidence } from "../../support/builders.ts";

const TASK = aTask();
const OTHER = taskId("octo/app#2");
const FAILED = { kind: "failed", exitCode: 1, tail: "oops" } as const;

function memory(members: Partial<RepoMemory> = {}): RepoMemory {
  return aMemory({ tasks: [TASK], ...members });
}

describe("historyOf", () => {
  it("is empty before the first attempt", () => {
    const runs = [aRun({ state: "running" })];
    expect(historyOf(TASK, memory({ runs }))).toEqual({
      previous: undefined,
      feedback: [],
      runs: [],
      session: undefined,
    });
  });

  it("tells of the last attempt that ended, of this task", () => {
    const runs = [
      aRun({ id: runId("1"), state: "finished", outcome: SUCCEEDED }),
      aRun({ id: runId("2"), attempt: 2, state: "finished", outcome: FAILED }),
      aRun({ id: runId("3"), task: OTHER, state: "finished", outcome: SUCCEEDED }),
      aRun({ id: runId("4"), state: "queued" }),
    ];
    expect(historyOf(TASK, memory({ runs })).previous).toEqual(FAILED);
  });

  it("names the conversation of the last attempt and whose it was", () => {
    const ended = { state: "finished", outcome: SUCCEEDED } as const;
    const runs = [
      aRun({ id: runId("1"), ...ended, session: "old" }),
      aRun({ id: runId("2"), attempt: 2, ...ended, session: "new", runner: "codex" }),
    ];
    const told = { runner: "codex", id: "new" };
    expect(historyOf(TASK, memory({ runs })).session).toEqual(told);
    const silent = [...runs, aRun({ id: runId("3"), attempt: 3, ...ended })];
    expect(historyOf(TASK, memory({ runs: silent })).session).toBeUndefined();
  });

  it("tells why the train rejected it last, with the end of the output", () => {
    const evidence = someEvidence({ verdict: "red", tail: "1 test failed" });
    const entries = [
      anEntry({ state: "rejected", reason: "an older reason" }),
      anEntry({ state: "rejected", reason: "it fails", evidence }),
      anEntry({ state: "superseded", reason: "new commits" }),
      anEntry({ state: "rejected", task: OTHER, reason: "another task's" }),
    ];
    expect(historyOf(TASK, memory({ entries })).feedback).toEqual([
      { from: "the merge train", text: "it fails\n\n1 test failed" },
    ]);
  });

  it("quotes no output where nothing was run", () => {
    const entries = [anEntry({ state: "rejected", reason: "it conflicts" })];
    expect(historyOf(TASK, memory({ entries })).feedback).toMatchObject([{ text: "it conflicts" }]);
  });
});

const SESSION = { runner: "codex", id: "t-1" };
const RED = { kind: "verify-failed", tail: "" } as const;

describe("resumableSession", () => {
  it.each([
    { after: "a red verification", previous: RED, runner: "codex", id: "t-1" },
    { after: "a review", previous: SUCCEEDED, runner: "codex", id: "t-1" },
    { after: "a run of another runner", previous: RED, runner: "claude", id: undefined },
    {
      after: "a failure, maybe of its own making",
      previous: FAILED,
      runner: "codex",
      id: undefined,
    },
    { after: "nothing", previous: undefined, runner: "codex", id: undefined },
  ])("after $after is $id", ({ previous, runner, id }) => {
    expect(resumableSession({ previous, session: SESSION, feedback: [], runs: [] }, runner)).toBe(
      id,
    );
  });
});
