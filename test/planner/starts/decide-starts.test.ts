import { describe, expect, it } from "vitest";
import { instant, taskId } from "../../../src/domain/ids.ts";
import type { PlannableTask } from "../../../src/domain/plan.ts";
import { decideStarts } from "../../../src/planner/starts/decide-starts.ts";
import type { DispatchSnapshot, Holding } from "../../../src/planner/starts/decide-starts.ts";
import { prepareBacklog } from "../../../src/planner/waves/backlog.ts";
import { buildTask } from "../build-task.ts";

const MINUTE = 60_000;

function decide(tasks: readonly PlannableTask[], facts: Partial<DispatchSnapshot> = {}) {
  const decision = decideStarts({
    now: instant(0),
    backlog: prepareBacklog(tasks, { slots: 4 }),
    holding: [],
    slots: { overall: 4 },
    ...facts,
  });
  return {
    starts: decision.starts.map(({ id }) => id),
    waiting: decision.waiting.map(({ id, code, reason }) => `${id} ${code}: ${reason}`),
    untils: decision.waiting.map(({ until }) => until),
    wave: decision.wave,
  };
}

const holding = (id: string, facts: Partial<Holding> = {}): Holding => ({
  id: taskId(id),
  stage: "running",
  expectedEnd: undefined,
  ...facts,
});

describe("decideStarts", () => {
  it("starts everything that is disjoint while slots last", () => {
    const tasks = [1, 2, 3, 4, 5].map((order) => buildTask(order));
    expect(decide(tasks)).toMatchObject({
      starts: ["t1", "t2", "t3", "t4"],
      waiting: ["t5 no-slot: no slot is free"],
    });
  });

  it("names the task that holds the path, and the path", () => {
    const tasks = [
      buildTask(7, { id: "o/r#7", files: ["src/auth/session.ts"] }),
      buildTask(9, { id: "o/r#9", files: ["src/auth/session.ts", "x"] }),
    ];
    const held = holding("o/r#7", { expectedEnd: instant(5 * MINUTE) });
    expect(decide(tasks, { holding: [held] })).toMatchObject({
      starts: [],
      waiting: ["o/r#9 conflict: waits for #7: both may write src/auth/session.ts"],
      untils: [5 * MINUTE],
    });
  });

  it("does not say write when one of the two only reads", () => {
    const tasks = [buildTask(1, { files: ["a"] }), buildTask(2, { files: ["b"], reads: ["a"] })];
    expect(decide(tasks, { holding: [holding("t1")] }).waiting).toEqual([
      "t2 conflict: waits for t1: both may touch a",
    ]);
  });

  it("waits for a dependency until it has landed", () => {
    const tasks = [buildTask(1), buildTask(2, { after: ["t1"] })];
    const backlog = prepareBacklog(tasks, { slots: 4 });
    expect(decide(tasks, { holding: [holding("t1", { stage: "queued" })] }).waiting).toEqual([
      "t2 dependency: waits for t1 to land: it depends on it",
    ]);
    expect(decide(tasks, { backlog, ended: new Map([[taskId("t1"), "landed"]]) }).starts).toEqual([
      "t2",
    ]);
  });

  it("blocks what depends on a task that ended without landing", () => {
    const tasks = [buildTask(1), buildTask(2, { after: ["t1"] }), buildTask(3, { after: ["t2"] })];
    expect(decide(tasks, { ended: new Map([[taskId("t1"), "failed"]]) }).waiting).toEqual([
      "t2 dependency-failed: depends on t1, which ended without landing",
      "t3 dependency: waits for t2 to land: it depends on it",
    ]);
  });

  it("starts urgent tasks first, and what they depend on", () => {
    const tasks = [
      buildTask(1, { minutes: 60 }),
      buildTask(2, { priority: "low" }),
      buildTask(3, { priority: "high", after: ["t2"] }),
    ];
    expect(decide(tasks, { slots: { overall: 1 } }).starts).toEqual(["t2"]);
  });

  it("starts the longest chain first among equals", () => {
    const tasks = [buildTask(1), buildTask(2), buildTask(3, { after: ["t2"] })];
    expect(decide(tasks, { slots: { overall: 1 } }).starts).toEqual(["t2"]);
  });

  it("starts first what keeps most others out", () => {
    const tasks = [
      buildTask(1),
      buildTask(2, { files: ["a"] }),
      buildTask(3, { files: ["a", "b"] }),
      buildTask(4, { files: ["b"] }),
    ];
    expect(decide(tasks, { slots: { overall: 1 } }).starts).toEqual(["t3"]);
  });

  it.each([
    [{ overall: 4, repository: 0 }, "no slot for this repository is free"],
    [{ overall: 4, parents: new Map([[taskId("p"), 0]]) }, "no slot for tasks of p is free"],
    [{ overall: 4, runners: new Map([["codex", 0]]) }, "no codex slot is free"],
    [{ overall: 4, runners: new Map([["claude", 1]]) }, "no runner is called codex"],
  ])("keeps within the limit of %j", (slots, reason) => {
    const place = { parent: taskId("p"), runner: "codex" };
    const tasks = [buildTask(1, place), buildTask(9, place)];
    const decision = decide(tasks, { holding: [holding("t9")], slots });
    expect(decision.starts).toEqual([]);
    expect(decision.waiting[0]).toContain(reason);
  });

  it("waits while a runner is paused and says until when", () => {
    const slots = {
      overall: 4,
      defaultRunner: "codex",
      pausedRunners: new Map([
        ["codex", { until: instant(MINUTE), because: "its provider's limit" }],
      ]),
    };
    expect(decide([buildTask(1)], { slots })).toMatchObject({
      waiting: [
        "t1 runner-paused: codex is paused until 1970-01-01 00:01 UTC (its provider's limit)",
      ],
      untils: [MINUTE],
    });
    expect(decide([buildTask(1)], { slots, now: instant(MINUTE) }).starts).toEqual(["t1"]);
  });

  it("stops pulling when enough pull requests wait for review", () => {
    const tasks = [buildTask(1), buildTask(2)];
    const review = [holding("t1", { stage: "review" })];
    expect(decide(tasks, { holding: review, rules: { reviewLimit: 1 } }).starts).toEqual([]);
    expect(decide(tasks, { holding: review, rules: { reviewLimit: 2 } }).starts).toEqual(["t2"]);
  });

  it("staggers launches and gives what waits for its turn to nobody else", () => {
    const tasks = [buildTask(1, { files: ["a"] }), buildTask(2), buildTask(3, { files: ["a"] })];
    const rules = { launchDelayMs: 10_000 };
    const first = decide(tasks, { rules });
    expect(first).toMatchObject({
      starts: ["t1"],
      untils: [4 * MINUTE, 10_000],
    });
    const later = { rules, holding: [holding("t1")], lastStartAt: instant(0) };
    expect(decide(tasks, { ...later, now: instant(9_999) }).starts).toEqual([]);
    expect(decide(tasks, { ...later, now: instant(10_000) }).starts).toEqual(["t2"]);
  });

  it("keeps no slot for a launch that waits for its turn", () => {
    const rules = { launchDelayMs: 10_000 };
    const tasks = [buildTask(1), buildTask(2)];
    const now = { rules, slots: { overall: 1 }, lastStartAt: instant(0) };
    expect(decide(tasks, { ...now, now: instant(5000) }).untils).toContain(10_000);
    const urgent = [...tasks, buildTask(3, { priority: "high" })];
    expect(decide(urgent, { ...now, now: instant(10_000) }).starts).toEqual(["t3"]);
  });

  it("starts nothing new after a failure when asked to stop", () => {
    const facts = { failures: [taskId("t9")], rules: { onFailure: "stop-wave" as const } };
    expect(decide([buildTask(1)], facts).waiting).toEqual([
      "t1 stopped: nothing new starts: t9 failed and onFailure is stop-wave",
    ]);
    expect(decide([buildTask(1)], { failures: [taskId("t9")] }).starts).toEqual(["t1"]);
  });
});

describe("decideStarts for tasks that run alone", () => {
  const alone = (order: number, sketch = {}) =>
    buildTask(order, { parallelSafe: false, ...sketch });

  it("runs them first, one at a time, when the repository is idle", () => {
    const tasks = [buildTask(1, { minutes: 60 }), alone(2), alone(3)];
    expect(decide(tasks)).toMatchObject({
      starts: ["t2"],
      waiting: [
        "t3 runs-alone: runs alone: waits for t2 to land",
        "t1 kept-out: waits for t2, which runs alone",
      ],
    });
  });

  it("lets a more urgent task pass even then", () => {
    expect(decide([buildTask(1, { priority: "high" }), alone(2)]).starts).toEqual(["t1"]);
  });

  it("treats a task that declares no file as one", () => {
    expect(decide([buildTask(1), buildTask(2, { files: [] })]).starts).toEqual(["t2"]);
  });

  const busy = [buildTask(1), alone(2), buildTask(3, { minutes: 4 }), buildTask(4, { minutes: 6 })];
  const running = [holding("t1", { expectedEnd: instant(20 * MINUTE) })];

  it("keeps the repository free for one that has waited too long, but lets short tasks fill the gap", () => {
    expect(decide(busy, { holding: running, now: instant(14 * MINUTE) }).starts).toEqual([
      "t4",
      "t3",
    ]);
    const decision = decide(busy, { holding: running, now: instant(15 * MINUTE) });
    expect(decision.starts).toEqual(["t3"]);
    expect(decision.waiting).toContain(
      "t4 reserved: lets t2 go first: it has waited too long, and this would delay it",
    );
  });

  it("is more patient while the blocker waits for a person", () => {
    const review = [holding("t1", { stage: "review" })];
    expect(decide(busy, { holding: review, now: instant(59 * MINUTE) }).starts).toEqual([
      "t4",
      "t3",
    ]);
    expect(decide(busy, { holding: review, now: instant(60 * MINUTE) }).starts).toEqual([]);
  });

  it("never holds back a task that already holds its claims", () => {
    const rework = [...running, holding("t3", { stage: "rework" })];
    const decision = decide(busy, { holding: rework, now: instant(30 * MINUTE) });
    expect(decision.starts).toEqual(["t3"]);
  });
});

describe("decideStarts for a task that newcomers overtake", () => {
  const tasks = [
    buildTask(1, { files: ["a"] }),
    buildTask(2, { files: ["a", "b"] }),
    buildTask(3, { files: ["b"], minutes: 9 }),
  ];
  const overtaken = tasks.map((task) =>
    task.id === "t2" ? task : { ...task, readySince: instant(MINUTE) },
  );
  const facts = {
    holding: [holding("t1", { expectedEnd: instant(63 * MINUTE) })],
    now: instant(60 * MINUTE),
  };

  it("reserves its paths after an hour", () => {
    expect(decide(overtaken, { ...facts, now: instant(59 * MINUTE) }).starts).toEqual(["t3"]);
    expect(decide(overtaken, facts).starts).toEqual([]);
  });

  it("reserves nothing in a backlog that was there from the beginning", () => {
    expect(decide(tasks, facts).starts).toEqual(["t3"]);
  });
});

describe("decideStarts with schedule: waves", () => {
  const rules = { schedule: "waves" as const };
  const tasks = [buildTask(1, { files: ["a"] }), buildTask(2, { files: ["a"] }), buildTask(3)];

  it("starts the first wave and remembers it", () => {
    expect(decide(tasks, { rules })).toMatchObject({ starts: ["t1", "t3"], wave: ["t1", "t3"] });
  });

  it("starts the next wave only when all of the first has ended", () => {
    const one = {
      rules,
      wave: [taskId("t1"), taskId("t3")],
      ended: new Map([[taskId("t1"), "landed" as const]]),
    };
    expect(decide(tasks, { ...one, holding: [holding("t3")] })).toMatchObject({
      starts: [],
      waiting: ["t2 wave: waits for an earlier wave to end: t3 is in it"],
    });
    const both = new Map([...one.ended, [taskId("t3"), "failed" as const]]);
    expect(decide(tasks, { ...one, ended: both })).toMatchObject({ starts: ["t2"], wave: ["t2"] });
  });

  it("keeps newcomers out of a wave that has begun", () => {
    const decision = decide([...tasks, buildTask(4)], {
      rules,
      wave: [taskId("t1"), taskId("t3")],
      holding: [holding("t1"), holding("t3")],
    });
    expect(decision.starts).toEqual([]);
  });
});

describe("decideStarts in plan order", () => {
  const planOrder = ["t4", "t3", "t1", "t2"].map(taskId);
  const tasks = [
    buildTask(1, { files: ["a"], minutes: 60 }),
    buildTask(2, { files: ["b"] }),
    buildTask(3, { files: ["a"], after: ["t4"] }),
    buildTask(4, { files: ["c"] }),
  ];

  it("keeps conflicting tasks in their planned order", () => {
    expect(decide(tasks, { planOrder })).toMatchObject({
      starts: ["t4", "t2"],
      waiting: [
        "t1 plan-order: keeps its place behind t3: both may write a",
        "t3 dependency: waits for t4 to land: it depends on it",
      ],
    });
  });

  it("does not wait for a task whose dependency was lost", () => {
    const ended = new Map([[taskId("t4"), "failed" as const]]);
    expect(decide(tasks, { planOrder, ended }).starts).toEqual(["t1", "t2"]);
  });

  it("lets a dependency that is newer than the plan overrule it", () => {
    const crossed = tasks.with(2, buildTask(3, { files: ["a"], after: ["t1"] }));
    expect(decide(crossed, { planOrder }).starts).toContain("t1");
  });
});
