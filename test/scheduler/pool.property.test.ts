import { describe, expect, it } from "vitest";
import { instant } from "../../src/domain/ids.ts";
import type { Run } from "../../src/domain/run.ts";
import type { Task } from "../../src/domain/task.ts";
import { decide } from "../../src/scheduler/decide.ts";
import { aConfig } from "../support/a-config.ts";
import { NOW, REPO, aSpec, aTask } from "../support/builders.ts";
import fc from "../support/fast-check.ts";
import { aRunner, someLimits } from "../support/pool.ts";

/** Plays runs to the end, whichever ends next; returns how many ran at every moment. */
function play(tasks: readonly Task[], slots: number, nextToEnd: (running: number) => number) {
  const limits = someLimits({ runners: { agent: aRunner({ slots }) }, overall: 100 });
  const states = new Map(tasks.map((task) => [task.id, task]));
  let running: readonly Run[] = [];
  const moments: { running: number; unfinished: number }[] = [];
  for (let ended = 0; ended <= tasks.length; ended += 1) {
    const { actions } = decide({
      context: { repo: REPO, base: "main", config: aConfig({ limits: { parallel: 100 } }) },
      now: instant(NOW + ended),
      tasks: [...states.values()],
      runs: running,
      explorations: [],
      running,
      limits,
      recent: [],
      facts: new Map(),
      availableMemory: Infinity,
      history: [],
      directories: undefined,
      wave: [],
      holds: [],
      fence: 0,
      pulls: [],
    });
    for (const action of actions) {
      if (action.kind !== "start-run") continue;
      running = [...running, action.run];
      const task = states.get(action.run.task);
      if (task !== undefined) states.set(task.id, { ...task, state: "running" });
    }
    moments.push({ running: running.length, unfinished: tasks.length - ended });
    const ending = running[nextToEnd(running.length)];
    if (ending === undefined) break;
    running = running.filter((run) => run !== ending);
    states.delete(ending.task);
  }
  return moments;
}

function independent(count: number): readonly Task[] {
  return Array.from({ length: count }, (_, at) =>
    aTask({ issue: at + 1, spec: aSpec({ claims: [{ mode: "write", pattern: `${at}.ts` }] }) }),
  );
}

describe("the pool", () => {
  it("keeps 3 slots busy with 10 tasks until fewer tasks than slots remain", () => {
    const moments = play(independent(10), 3, () => 0);
    expect(moments.map(({ running }) => running)).toEqual([3, 3, 3, 3, 3, 3, 3, 3, 2, 1, 0]);
  });

  it("keeps every slot busy, whatever the numbers and whoever ends first", () => {
    const sizes = fc.record({
      tasks: fc.integer({ min: 0, max: 12 }),
      slots: fc.integer({ min: 1, max: 6 }),
      draws: fc.array(fc.nat(), { minLength: 13, maxLength: 13 }),
    });
    fc.assert(
      fc.property(sizes, ({ tasks, slots, draws }) => {
        let turn = 0;
        const moments = play(independent(tasks), slots, (running) => {
          turn += 1;
          return (draws[turn] ?? 0) % Math.max(1, running);
        });
        for (const { running, unfinished } of moments) {
          expect(running).toBe(Math.min(slots, unfinished));
        }
        expect(moments.at(-1)?.unfinished).toBe(0);
      }),
      { seed: 7, numRuns: 60 },
    );
  });
});
