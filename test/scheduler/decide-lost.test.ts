import { describe, expect, it } from "vitest";
import { runId } from "../../src/domain/ids.ts";
import type { Run } from "../../src/domain/run.ts";
import type { TaskState } from "../../src/domain/task.ts";
import { decideLost } from "../../src/scheduler/decide-lost.ts";
import { NOW, SUCCEEDED, aRun, aTask } from "../support/builders.ts";

const RUN = runId("run-1");

describe("decideLost", () => {
  it.each(["queued", "running"] as const)("ends a %s run that nobody works on", (state) => {
    const memory = { tasks: [aTask({ state: "running" })], runs: [aRun({ state })] };
    expect(decideLost({ ...memory, maxLost: 3 }, new Set(), NOW)).toMatchObject([
      [
        { kind: "run-finished", run: RUN, outcome: { kind: "lost" } },
        { kind: "task-moved", from: "running", to: "waiting", set: {} },
      ],
    ]);
  });

  it("calls a run cancelled that somebody cancelled on a server that is gone", () => {
    const memory = { tasks: [aTask({ state: "running" })], runs: [aRun()] };
    const cancels = new Map([[RUN, "cancelled by ann"]]);
    expect(decideLost({ ...memory, cancels, maxLost: 3 }, new Set(), NOW)).toMatchObject([
      [
        { kind: "run-finished", outcome: { kind: "cancelled", reason: "cancelled by ann" } },
        { kind: "task-moved", from: "running", to: "cancelled", reason: "cancelled by ann" },
      ],
    ]);
  });

  it("gives up a task whose runs are lost again and again, not one that had another end in between", () => {
    const lost = { kind: "lost", reason: "", interrupted: true } as const;
    const ended = (n: number, outcome: Run["outcome"]) =>
      aRun({ id: runId(`run-${n}`), attempt: n, state: "finished", outcome });
    const last = aRun({ id: runId("run-9"), attempt: 9 });
    const decideAfter = (...runs: readonly Run[]) =>
      decideLost(
        { tasks: [aTask({ state: "running" })], runs: [...runs, last], maxLost: 3 },
        new Set(),
        NOW,
      )[0]?.[1];
    expect(decideAfter(ended(1, lost), ended(2, lost))).toMatchObject({
      to: "failed",
      reason: "the run was lost when the app stopped; gave up after 3 such runs in a row",
    });
    const failed = { kind: "failed", reason: "", exitCode: 1 } as unknown as Run["outcome"];
    for (const runs of [[ended(1, lost)], [ended(1, lost), ended(2, failed), ended(3, lost)]])
      expect(decideAfter(...runs)).toMatchObject({ to: "waiting" });
  });

  it("leaves a run alone that is under way", () => {
    const memory = { tasks: [aTask({ state: "running" })], runs: [aRun()] };
    expect(decideLost({ ...memory, maxLost: 3 }, new Set([RUN]), NOW)).toEqual([]);
  });

  it("leaves a finished run alone", () => {
    const run = aRun({ state: "finished", outcome: SUCCEEDED });
    expect(decideLost({ tasks: [aTask()], runs: [run], maxLost: 3 }, new Set(), NOW)).toEqual([]);
  });

  it.each<TaskState>(["waiting", "review", "cancelled", "landed"])(
    "ends the run and leaves its task alone that is already %s",
    (state) => {
      const memory = { tasks: [aTask({ state })], runs: [aRun()] };
      expect(decideLost({ ...memory, maxLost: 3 }, new Set(), NOW)).toMatchObject([
        [{ kind: "run-finished" }],
      ]);
    },
  );

  it("ends a run whose task is unknown", () => {
    expect(decideLost({ tasks: [], runs: [aRun()], maxLost: 3 }, new Set(), NOW)).toMatchObject([
      [{ kind: "run-finished", outcome: { kind: "lost" } }],
    ]);
  });

  it("keeps each run's changes apart, so that one refusal does not undo the others", () => {
    const runs = [aRun(), aRun({ id: runId("run-2") })];
    expect(decideLost({ tasks: [], runs, maxLost: 3 }, new Set(), NOW)).toHaveLength(2);
  });
});
