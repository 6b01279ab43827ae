import { describe, expect, it } from "vitest";
import type { PlannableTask } from "../../src/domain/plan.ts";
import { planTasks } from "../../src/planner/plan-tasks.ts";
import { buildTask } from "./build-task.ts";

const plan = (tasks: readonly PlannableTask[], slots = 4) => planTasks(tasks, { slots });

describe("planTasks", () => {
  const SECOND = 1000;
  const five = [204, 181, 193, 244, 600].map((seconds, at) =>
    buildTask(at + 1, { estimateMs: seconds * SECOND }),
  );

  it.each([
    { slots: 1, seconds: 1422 },
    { slots: 2, seconds: 781 },
    { slots: 3, seconds: 600 },
    { slots: 4, seconds: 600 },
    { slots: 8, seconds: 600 },
  ])("ends the five runs after $seconds s with $slots slots", ({ slots, seconds }) => {
    expect(plan(five, slots).makespanMs).toBeLessThanOrEqual(seconds * SECOND);
  });

  it("puts a task in the first wave after its dependencies that has no conflict", () => {
    const tasks = [
      buildTask(1, { files: ["a"] }),
      buildTask(2, { files: ["a", "b"] }),
      buildTask(3, { files: ["c"], after: ["t2"] }),
      buildTask(4, { files: ["d"] }),
    ];
    expect(plan(tasks).waves).toEqual([
      ["t2", "t4"],
      ["t1", "t3"],
    ]);
  });
});
