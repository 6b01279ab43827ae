import { describe, expect, it } from "vitest";
import { runId, taskIdOf } from "../../src/domain/ids.ts";
import { objectiveTaskId } from "../../src/domain/objective.ts";
import { readCancels } from "../../src/scheduler/read-cancels.ts";
import { NOW, REPO, aRun, aTask } from "../support/builders.ts";
import { useStore } from "../support/use-store.ts";

const store = useStore(() => NOW);

describe("readCancels", () => {
  it.each([
    ["a task", taskIdOf(REPO, 20)],
    ["an objective", objectiveTaskId(REPO, 20)],
  ])("finds the command that another server took for the run of %s", async (_, id) => {
    const run = aRun({ id: runId("run-20"), task: id, state: "running" });
    const task = aTask({ id, issue: 20, state: "running" });
    await store().record(REPO, [
      {
        kind: "command-given",
        command: {
          id: "comment-1",
          repo: REPO,
          issue: 20,
          givenBy: "ann",
          said: "cancel",
          detail: "",
          result: "done",
          answer: { lines: [] },
          effects: [{ kind: "cancel-run", run: run.id, reason: "cancelled by ann" }],
          comment: undefined,
          at: NOW,
          doneAt: undefined,
        },
      },
    ]);
    const found = await readCancels(
      { repo: REPO },
      { tasks: [task], runs: [run] },
      { store: store() },
    );
    expect(found).toEqual(new Map([[run.id, "cancelled by ann"]]));
  });
});
