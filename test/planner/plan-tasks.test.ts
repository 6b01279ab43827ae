import { describe, expect, it } from "vitest";
import { instant, taskId } from "../../src/domain/ids.ts";
import type { TaskId } from "../../src/domain/ids.ts";
import type { DependencyFact, PlannableTask } from "../../src/domain/plan.ts";
import { planTasks } from "../../src/planner/plan-tasks.ts";
import { buildTask } from "./build-task.ts";

const MINUTE = 60_000;
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

  it("begins with the tasks that hold their claims", () => {
    const tasks = [buildTask(1, { files: ["a"], minutes: 9 }), buildTask(2, { files: ["a"] })];
    const holding = [
      { id: taskId("t2"), stage: "running", expectedEnd: instant(1 * MINUTE) },
    ] as const;
    expect(planTasks(tasks, { slots: 4, holding, now: instant(0) })).toMatchObject({
      waves: [["t2"], ["t1"]],
      schedule: [
        { id: "t2", startMs: 0, endMs: 1 * MINUTE },
        { id: "t1", startMs: 1 * MINUTE, endMs: 10 * MINUTE },
      ],
    });
  });
});

describe("planTasks for tasks that cannot be planned", () => {
  const reasons = (tasks: readonly PlannableTask[], facts = new Map<TaskId, DependencyFact>()) =>
    planTasks(tasks, { slots: 4, facts }).blocked.map(
      ({ id, cause }) => `${id} ${cause.code}: ${cause.reason}`,
    );

  it("names the members of a cycle and plans the rest", () => {
    const tasks = [
      buildTask(1, { after: ["t3"] }),
      buildTask(2, { after: ["t1"] }),
      buildTask(3, { after: ["t2"] }),
      buildTask(4, { after: ["t1"] }),
      buildTask(5),
    ];
    expect(reasons(tasks)).toEqual([
      "t1 dependency-cycle: dependency cycle: t1 → t3 → t2 → t1",
      "t2 dependency-cycle: dependency cycle: t1 → t3 → t2 → t1",
      "t3 dependency-cycle: dependency cycle: t1 → t3 → t2 → t1",
      "t4 dependency-not-planned: depends on t1, which is blocked itself",
    ]);
    expect(plan(tasks).waves).toEqual([["t5"]]);
  });

  it("lists the members when cycles are tangled", () => {
    const tasks = [
      buildTask(1, { after: ["t2", "t3"] }),
      buildTask(2, { after: ["t1"] }),
      buildTask(3, { after: ["t1"] }),
    ];
    expect(reasons(tasks)[0]).toBe("t1 dependency-cycle: dependency cycle among t1, t2, t3");
  });

  it("tells a landed dependency from a failed, rejected, unready and unknown one", () => {
    const tasks = [0, 1, 2, 3, 4].map((at) =>
      buildTask(at + 1, { id: `o/r#${at + 1}`, after: [`o/r#1${at}`, "o/r#10"] }),
    );
    const facts = new Map(
      (["landed", "failed", "not-planned", "open"] as const).map((fact, at) => [
        taskId(`o/r#1${at}`),
        fact,
      ]),
    );
    expect(reasons(tasks, facts)).toEqual([
      "o/r#2 dependency-failed: depends on #11, which failed",
      "o/r#3 dependency-not-planned: depends on #12, which was closed as not planned",
      "o/r#4 dependency-not-planned: depends on #13, which is open but not ready",
      "o/r#5 dependency-unknown: depends on #14, which does not exist",
    ]);
  });

  it("hands a failure down to everything behind it", () => {
    const tasks = [
      buildTask(1, { after: ["gone"] }),
      buildTask(2, { after: ["t1"] }),
      buildTask(3, { after: ["t2"] }),
    ];
    const codes = reasons(tasks, new Map([[taskId("gone"), "failed"]]));
    expect(codes.map((line) => line.split(":")[0])).toEqual([
      "t1 dependency-failed",
      "t2 dependency-failed",
      "t3 dependency-failed",
    ]);
  });

  it("reports what reading the task found, and a repeated id", () => {
    const invalid = { code: "bad-claim", reason: 'line 3: "/etc": absolute path' } as const;
    expect(reasons([buildTask(1, { invalid }), buildTask(2), buildTask(3, { id: "t2" })])).toEqual([
      't1 bad-claim: line 3: "/etc": absolute path',
      "t2 bad-task: another task is already called t2",
    ]);
  });

  it("follows a chain of ten thousand dependencies and a cycle as long", () => {
    const chain = Array.from({ length: 10_000 }, (_, at) =>
      buildTask(at + 1, { after: at === 0 ? [] : [`t${at}`] }),
    );
    expect(plan(chain).waves).toHaveLength(10_000);
    const ring = chain.with(0, buildTask(1, { after: ["t10000"] }));
    expect(plan(ring).blocked).toHaveLength(10_000);
  });
});
