import { describe, expect, it } from "vitest";
import { instant, taskId } from "../../src/domain/ids.ts";
import type { PlannableTask } from "../../src/domain/plan.ts";
import { explain } from "../../src/planner/explain.ts";
import { decideStarts } from "../../src/planner/starts/decide-starts.ts";
import type { DispatchSnapshot } from "../../src/planner/starts/decide-starts.ts";
import { numberWaves } from "../../src/planner/waves/assign-waves.ts";
import { prepareBacklog } from "../../src/planner/waves/backlog.ts";
import { buildTask } from "./build-task.ts";

function explained(
  id: string,
  tasks: readonly PlannableTask[],
  facts: Partial<DispatchSnapshot> = {},
) {
  const backlog = prepareBacklog(tasks, { slots: 2 });
  const snapshot = { now: instant(0), backlog, holding: [], slots: { overall: 2 }, ...facts };
  const held = snapshot.holding.map((one) => backlog.positions.get(one.id) ?? -1);
  return explain(taskId(id), {
    backlog,
    numbered: numberWaves(backlog, held, () => undefined),
    holding: snapshot.holding,
    decision: decideStarts(snapshot),
  });
}

const running = (id: string) =>
  ({ id: taskId(id), stage: "running", expectedEnd: undefined }) as const;

describe("explain", () => {
  it("names every task that holds the paths, where the plan has it and what to do", () => {
    const tasks = [
      buildTask(1, { files: ["src/auth/**"] }),
      buildTask(2, { files: ["src/ui/*.css"] }),
      buildTask(3, { files: ["src/auth/login.ts", "src/ui/login.css"] }),
    ];
    expect(explained("t3", tasks, { holding: [running("t1"), running("t2")] })).toEqual([
      "waits for t1: both may write src/auth/login.ts",
      "also waits for t2: both may write src/ui/login.css",
      "is in wave 2 of 2: t1: both may write src/auth/login.ts",
      "what would change that: land the other task, or narrow the files of one of the two",
    ]);
  });

  it.each([
    [{ parallelSafe: false }, "label it parallel-safe, or label its parent"],
    [{ exclusive: true }, "remove the label exclusive"],
    [{ files: [] }, "declare the files that it may change"],
    [{ files: [".github/workflows/test.yml"] }, "leave such files to another task"],
  ])("tells how %j could run beside others", (sketch, hint) => {
    const tasks = [buildTask(1), buildTask(2, sketch)];
    expect(explained("t2", tasks, { holding: [running("t1")] }).at(-1)).toBe(
      `what would change that: ${hint}`,
    );
  });

  it("says which run is expected to free a slot first", () => {
    const tasks = [buildTask(1), buildTask(2), buildTask(3)];
    const holding = [
      { ...running("t1"), expectedEnd: instant(9) },
      { ...running("t2"), expectedEnd: instant(5) },
    ];
    expect(explained("t3", tasks, { holding, slots: { overall: 0 } }).slice(0, 2)).toEqual([
      "no slot is free",
      "the next slot is expected when t2 ends",
    ]);
  });

  it("says of a blocked task what has to be corrected", () => {
    expect(explained("t1", [buildTask(1, { after: ["t1"] })])).toEqual([
      "dependency cycle: t1 → t1",
      "what would change that: remove one of these dependencies",
    ]);
  });

  it("says of a task that starts or is at work where it is, and nothing of one that it does not know", () => {
    const tasks = [buildTask(1), buildTask(2)];
    expect(explained("t1", tasks)[0]).toBe("starts now: its claims and a slot are free");
    expect(explained("t1", tasks, { holding: [running("t1")] })).toEqual(["is in wave 1 of 1"]);
    expect(explained("t9", tasks)).toEqual([]);
  });
});
