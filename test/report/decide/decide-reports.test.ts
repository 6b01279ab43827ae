import { describe, expect, it } from "vitest";
import { runId, taskId } from "../../../src/domain/ids.ts";
import { checkedCommit } from "../../../src/report/decide/decide-reports.ts";
import { SUCCEEDED, aRun, aTask } from "../../support/builders.ts";

const PUSHED = aRun({ state: "finished", outcome: SUCCEEDED });
const FAILED = aRun({
  id: runId("2"),
  state: "finished",
  outcome: { kind: "no-changes", notes: "" },
});
const OTHER = aRun({
  id: runId("3"),
  task: taskId("octo/app#99"),
  state: "finished",
  outcome: SUCCEEDED,
});
const RUNS = [PUSHED, FAILED, OTHER];

const PUSHED_HEAD = "head" in SUCCEEDED ? SUCCEEDED.head : "";

const storyOf = (members: Parameters<typeof aTask>[0]) => ({
  task: aTask(members),
  run: FAILED,
  entry: undefined,
});

describe("checkedCommit", () => {
  it("is what was pushed last to a pull request on which nobody works any more", () => {
    const story = storyOf({ state: "failed", pull: 11 });
    expect(checkedCommit(story, RUNS)).toMatchObject({ story, head: PUSHED_HEAD });
  });

  it.each([{ state: "failed" as const }, { state: "running" as const, pull: 11 }])(
    "is none for a task that is %o",
    (members) => {
      expect(checkedCommit(storyOf(members), RUNS)).toBeUndefined();
    },
  );
});
