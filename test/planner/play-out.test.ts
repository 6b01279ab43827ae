import { describe, expect, it } from "vitest";
import type { PlannableTask } from "../../src/domain/plan.ts";
import { playOutMs } from "../../src/planner/play-out.ts";
import type { TaskTimes } from "../../src/planner/play-out.ts";
import { prepareBacklog } from "../../src/planner/waves/backlog.ts";
import { buildTask } from "./build-task.ts";

const once = (runMs: number, landing = 0): TaskTimes => ({
  runs: [runMs],
  pauses: [],
  landing,
});

function play(tasks: readonly PlannableTask[], slots: number, times: readonly TaskTimes[]) {
  const byId = new Map(tasks.map(({ id }, at) => [id, times[at] ?? once(0)]));
  const timesOf = (id: PlannableTask["id"]) => byId.get(id) ?? once(0);
  return playOutMs(prepareBacklog(tasks, { slots }), { slots, timesOf });
}

describe("playOutMs", () => {
  it("keeps every slot busy while tasks are disjoint", () => {
    const tasks = [1, 2, 3, 4].map((order) => buildTask(order));
    expect(
      play(
        tasks,
        2,
        tasks.map(() => once(10)),
      ),
    ).toBe(20);
    expect(
      play(
        tasks,
        4,
        tasks.map(() => once(10)),
      ),
    ).toBe(10);
  });

  it("lands one after the other, beside the runs", () => {
    const tasks = [1, 2, 3].map((order) => buildTask(order));
    expect(
      play(
        tasks,
        3,
        tasks.map(() => once(10, 4)),
      ),
    ).toBe(22);
    expect(
      play(
        tasks,
        1,
        tasks.map(() => once(10, 4)),
      ),
    ).toBe(34);
  });

  it("keeps claims and dependents until the landing", () => {
    const pair = [buildTask(1, { files: ["a"] }), buildTask(2, { files: ["a"] })];
    expect(play(pair, 2, [once(10, 3), once(10, 3)])).toBe(26);
    const chain = [buildTask(1), buildTask(2, { after: ["t1"] })];
    expect(play(chain, 2, [once(10, 3), once(5, 3)])).toBe(21);
  });

  it("leaves the slot to others while a task pauses before its next run", () => {
    const tasks = [buildTask(1, { minutes: 9 }), buildTask(2)];
    const twice = { runs: [5, 5], pauses: [20], landing: 0 };
    expect(play(tasks, 1, [twice, once(12)])).toBe(30);
  });

  it("ends with what can be done when a task does not land", () => {
    const tasks = [buildTask(1), buildTask(2, { after: ["t1"] }), buildTask(3)];
    expect(play(tasks, 1, [{ ...once(10), landing: undefined }, once(10), once(7)])).toBe(17);
    const never = { runs: [], pauses: [], landing: undefined };
    expect(play(tasks, 1, [never, once(10), once(7)])).toBe(7);
  });
});
