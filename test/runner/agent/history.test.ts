import { describe, expect, it } from "vitest";
import { instant, runId, taskId } from "../../../src/domain/ids.ts";
import type { RepoMemory } from "../../../src/ports/store.ts";
import { historyOf } from "../../../src/runner/agent/history.ts";
import {
  SUCCEEDED,
  aMemory,
  aRun,
  aSpec,
  aTask,
  anEntry,
  someEvidence,
} from "../../support/builders.ts";

const TASK = aTask();
const NEXT = { attempt: 9, contender: 1 };
const OTHER = taskId("octo/app#2");
const FAILED = { kind: "failed", exitCode: 1, tail: "oops" } as const;

function memory(members: Partial<RepoMemory> = {}): RepoMemory {
  return aMemory({ tasks: [TASK], ...members });
}

describe("historyOf", () => {
  it("is empty before the first attempt", () => {
    const runs = [aRun({ state: "running" })];
    expect(historyOf(TASK, memory({ runs }), NEXT)).toEqual({
      previous: undefined,
      feedback: [],
      runs: [],
      own: [],
    });
  });

  it("tells of the last attempt that ended, of this task", () => {
    const runs = [
      aRun({ id: runId("1"), state: "finished", outcome: SUCCEEDED }),
      aRun({ id: runId("2"), attempt: 2, state: "finished", outcome: FAILED }),
      aRun({ id: runId("3"), task: OTHER, state: "finished", outcome: SUCCEEDED }),
      aRun({ id: runId("4"), state: "queued" }),
    ];
    expect(historyOf(TASK, memory({ runs }), NEXT).previous).toEqual(FAILED);
  });

  it("tells an evaluation nothing of other attempts, and of its own tries the last one", () => {
    const explore = { ideas: { kind: "ask", count: 2 } } as const;
    const task = aTask({ spec: aSpec({ explore }) });
    const opened = aRun({ contender: 0, state: "finished", outcome: SUCCEEDED });
    const tried = aRun({ attempt: 9, contender: 3, state: "finished", outcome: FAILED });
    const first = { attempt: 9, contender: 3 };
    const before = memory({ runs: [opened] });
    expect(historyOf(task, before, first).previous).toBeUndefined();
    const again = memory({ runs: [opened, tried] });
    expect(historyOf(task, again, { ...first, retry: 1 }).previous).toEqual(FAILED);
  });

  it("has the contender's own runs since a person asked, newest first", () => {
    const ended = { state: "finished", outcome: FAILED, queuedAt: TASK.readySince } as const;
    const runs = [
      aRun({ id: runId("0"), ...ended, queuedAt: instant(TASK.readySince - 1) }),
      aRun({ id: runId("1"), attempt: 2, ...ended }),
      aRun({ id: runId("1.c2"), attempt: 2, contender: 2, ...ended, outcome: SUCCEEDED }),
      aRun({ id: runId("2"), attempt: 3, ...ended }),
      aRun({ id: runId("3"), attempt: NEXT.attempt, ...ended }),
    ];
    const { own, previous } = historyOf(TASK, memory({ runs }), NEXT);
    expect(own.map(({ id }) => id)).toEqual(["2", "1"]);
    expect(previous).toEqual(FAILED);
    const second = historyOf(TASK, memory({ runs }), { ...NEXT, contender: 2 });
    expect(second).toMatchObject({ own: [{ id: "1.c2" }], previous: SUCCEEDED });
  });

  it("tells why the train rejected it last, with the end of the output", () => {
    const evidence = someEvidence({ verdict: "red", tail: "1 test failed" });
    const entries = [
      anEntry({ state: "rejected", reason: "an older reason" }),
      anEntry({ state: "rejected", reason: "it fails", evidence }),
      anEntry({ state: "superseded", reason: "new commits" }),
      anEntry({ state: "rejected", task: OTHER, reason: "another task's" }),
    ];
    expect(historyOf(TASK, memory({ entries }), NEXT).feedback).toEqual([
      { from: "the merge train", text: "it fails\n\n1 test failed" },
    ]);
  });

  it("quotes no output where nothing was run", () => {
    const entries = [anEntry({ state: "rejected", reason: "it conflicts" })];
    expect(historyOf(TASK, memory({ entries }), NEXT).feedback).toMatchObject([
      { text: "it conflicts" },
    ]);
  });
});
