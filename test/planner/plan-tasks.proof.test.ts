import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../bench/schedule/random.ts";
import { instant, taskId } from "../../src/domain/ids.ts";
import type { PlannableTask, Scheduled } from "../../src/domain/plan.ts";
import { lowerBoundMs, planTasks } from "../../src/planner/plan-tasks.ts";
import { simulate } from "../../src/planner/simulate.ts";
import { decideStarts } from "../../src/planner/starts/decide-starts.ts";
import { prepareBacklog } from "../../src/planner/waves/backlog.ts";
import type { Backlog } from "../../src/planner/waves/backlog.ts";
import fc from "../support/fast-check.ts";
import { times } from "../support/proofs.ts";
import { arbitraryMinutes, arbitraryTasks, NO_FILE_RULES } from "./arbitrary-tasks.ts";
import { buildTask } from "./build-task.ts";

const RUNS = { numRuns: times({ test: 250, ci: 1000, long: 10_000 }) };
const MINUTE = 60_000;
const slots = fc.integer({ min: 1, max: 5 });

const hash = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("hex");

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const order = items.map((item) => ({ item, key: random() }));
  return order.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

/** Every two scheduled tasks at once may run at once, dependencies land first, and no slot is used twice. */
function isValid(
  schedule: readonly Scheduled[],
  { positions, dependencies, graph }: Backlog,
): boolean {
  const timesAt = new Map(schedule.map((times) => [positions.get(times.id)!, times]));
  return [...timesAt].every(([i, a]) => {
    const isAfter = dependencies.before[i]!.every((j) => timesAt.get(j)!.endMs <= a.startMs);
    const meets = [...timesAt].filter(
      ([j, b]) => i !== j && a.startMs < b.endMs && b.startMs < a.endMs,
    );
    return isAfter && meets.every(([j, b]) => a.slot !== b.slot && !graph.conflicts(i, j));
  });
}

describe("planTasks", () => {
  it("gives the same plan for the same tasks in any order", () => {
    fc.assert(
      fc.property(arbitraryTasks({ most: 12, tangled: true }), fc.nat(), (tasks, seed) => {
        const again = shuffled(tasks, seededRandom(seed));
        expect(planTasks(again, { slots: 3, claims: NO_FILE_RULES })).toEqual(
          planTasks(tasks, { slots: 3, claims: NO_FILE_RULES }),
        );
      }),
      RUNS,
    );
  });

  it("gives one hash for a thousand shuffles of one backlog", () => {
    const random = seededRandom(42);
    const tasks = fc
      .sample(arbitraryTasks({ most: 40, tangled: true }), { seed: 7, numRuns: 20 })
      .at(-1)!;
    const backlog = [...tasks, buildTask(98, { files: [] }), buildTask(99, { after: ["nowhere"] })];
    const hashes = Array.from({ length: 1000 }, () =>
      hash(planTasks(shuffled(backlog, random), { slots: 3, claims: NO_FILE_RULES })),
    );
    expect(new Set(hashes).size).toBe(1);
  });

  it("puts every plannable task in one wave, without conflicts, after its dependencies", () => {
    fc.assert(
      fc.property(arbitraryTasks({ most: 12, tangled: true }), (tasks) => {
        const backlog = prepareBacklog(tasks, { slots: 3, claims: NO_FILE_RULES });
        const plan = planTasks(tasks, { slots: 3, claims: NO_FILE_RULES });
        const placed = [...plan.waves.flat(), ...plan.blocked.map(({ id }) => id)];
        expect(placed.toSorted()).toEqual(tasks.map(({ id }) => id).toSorted());
        plan.waves.forEach((wave, index) => {
          const earlier = new Set(plan.waves.slice(0, index).flat());
          const members = wave.map((id) => backlog.positions.get(id)!);
          const isFree = members.every((at) =>
            members.every((other) => !backlog.graph.conflicts(at, other)),
          );
          const isAfter = members.every((at) =>
            backlog.tasks[at]!.dependsOn.every((other) => earlier.has(other)),
          );
          expect([isFree, isAfter]).toEqual([true, true]);
        });
      }),
      RUNS,
    );
  });

  it("blocks exactly the tasks that reach a cycle", () => {
    fc.assert(
      fc.property(arbitraryTasks({ most: 12, tangled: true }), (tasks) => {
        const blocked = planTasks(tasks, { slots: 3, claims: NO_FILE_RULES }).blocked.map(
          ({ id }) => id,
        );
        expect(blocked.toSorted()).toEqual(unresolvable(tasks).toSorted());
      }),
      RUNS,
    );
  });

  it("schedules everything plannable, validly, in no less than the lower bound", () => {
    fc.assert(
      fc.property(
        arbitraryTasks({ most: 12, tangled: true }),
        slots,
        fc.constantFrom("rolling" as const, "waves" as const),
        (tasks, count, schedule) => {
          const backlog = prepareBacklog(tasks, { slots: count, claims: NO_FILE_RULES });
          const plan = planTasks(tasks, {
            slots: count,
            claims: NO_FILE_RULES,
            rules: { schedule },
          });
          expect(plan.schedule).toHaveLength(tasks.length - plan.blocked.length);
          expect(isValid(plan.schedule, backlog)).toBe(true);
          expect(Math.max(0, ...plan.schedule.map(({ slot }) => slot + 1))).toBeLessThanOrEqual(
            count,
          );
          expect(plan.makespanMs).toBeGreaterThanOrEqual(lowerBoundMs(backlog, count) - 1e-6);
        },
      ),
      RUNS,
    );
  });
});

/** By hand: whatever is left when tasks without open dependencies are taken away again and again. */
function unresolvable(tasks: readonly PlannableTask[]): string[] {
  let left = [...tasks];
  for (let size = -1; size !== left.length;) {
    size = left.length;
    const open = new Set(left.map(({ id }) => id));
    left = left.filter(({ dependsOn }) => dependsOn.some((id) => open.has(id)));
  }
  return left.map(({ id }) => id);
}

describe("decideStarts", () => {
  it("starts all disjoint tasks at once when there are slots for them", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), (count) => {
        const tasks = Array.from({ length: count }, (_, at) =>
          buildTask(at, { files: [`m${at}/**`, `docs/m${at}.md`], reads: ["shared/config.ts"] }),
        );
        const backlog = prepareBacklog(tasks, { slots: count, claims: NO_FILE_RULES });
        const { starts } = decideStarts({
          now: instant(0),
          backlog,
          holding: [],
          slots: { overall: count },
        });
        expect(starts).toHaveLength(count);
      }),
    );
  });

  it("never stands still while something could run", () => {
    fc.assert(
      fc.property(
        arbitraryTasks({ most: 10 }),
        fc.array(fc.nat({ max: 90 }), { minLength: 10, maxLength: 10 }),
        fc.nat({ max: 300 }),
        (tasks, since, now) => {
          const aged = tasks.map((task, at) => ({
            ...task,
            readySince: instant(since[at]! * MINUTE),
          }));
          const backlog = prepareBacklog(aged, { slots: 2, claims: NO_FILE_RULES });
          const { starts, waiting } = decideStarts({
            now: instant(now * MINUTE),
            backlog,
            holding: [],
            slots: { overall: 2 },
          });
          expect(starts.length).toBeGreaterThan(0);
          expect(starts.length + waiting.length).toBe(tasks.length);
        },
      ),
      RUNS,
    );
  });

  it("says of every waiting task something that is true", () => {
    fc.assert(
      fc.property(arbitraryTasks({ most: 10 }), slots, (tasks, count) => {
        const backlog = prepareBacklog(tasks, { slots: count, claims: NO_FILE_RULES });
        const { starts, waiting } = decideStarts({
          now: instant(0),
          backlog,
          holding: [],
          slots: { overall: count },
        });
        const started = new Set(starts.map(({ id }) => id));
        for (const { id, obstacle } of waiting) {
          const at = backlog.positions.get(id)!;
          if (obstacle.kind !== "behind") continue;
          const other = backlog.positions.get(obstacle.blocker)!;
          if (obstacle.code === "dependency") {
            expect(backlog.dependencies.before[at]).toContain(other);
          } else {
            expect(started).toContain(obstacle.blocker);
            expect(backlog.graph.conflicts(at, other)).toBe(true);
          }
        }
      }),
      RUNS,
    );
  });
});

describe("simulate", () => {
  it("runs every task of a stream, validly, whatever arrives when and however long it takes", () => {
    fc.assert(
      fc.property(
        arbitraryTasks({ most: 12 }),
        fc.array(fc.nat({ max: 200 }), { minLength: 12, maxLength: 12 }),
        arbitraryMinutes,
        (tasks, arrivals, minutes) => {
          const stream = tasks.map((task, at) => ({
            ...task,
            readySince: instant(arrivals[at]! * MINUTE),
          }));
          const backlog = prepareBacklog(stream, { slots: 3, claims: NO_FILE_RULES });
          const { schedule } = simulate(backlog, {
            slots: 3,
            from: instant(0),
            actualMs: (at) => minutes[at]! * MINUTE,
          });
          expect(schedule).toHaveLength(tasks.length);
          expect(isValid(schedule, backlog)).toBe(true);
          for (const { id, startMs } of schedule) {
            const ready = stream.find((task) => task.id === taskId(id))!.readySince;
            expect(startMs).toBeGreaterThanOrEqual(ready);
          }
        },
      ),
      RUNS,
    );
  });
});
