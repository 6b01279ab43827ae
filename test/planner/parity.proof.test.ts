import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { instant } from "../../src/domain/ids.ts";
import type { TaskId } from "../../src/domain/ids.ts";
import type { PlannableTask } from "../../src/domain/plan.ts";
import { buildConflictGraph } from "../../src/planner/conflicts/conflict-graph.ts";
import { planBacklog } from "../../src/planner/plan-tasks.ts";
import { simulate } from "../../src/planner/simulate.ts";
import { prepareBacklog } from "../../src/planner/waves/backlog.ts";
import type { Backlog } from "../../src/planner/waves/backlog.ts";
import fc from "../support/fast-check.ts";
import { times } from "../support/proofs.ts";
import {
  arbitraryMinutes,
  arbitraryTasks,
  NO_FILE_RULES,
  PATHS,
  pathsOf,
} from "./arbitrary-tasks.ts";

const RUNS = { numRuns: times({ test: 250, ci: 1000, long: 10_000 }) };
const MINUTE = 60_000;
const SLOTS = 4;

type Tree = ReadonlyMap<string, string>;
const EMPTY: Tree = new Map(PATHS.map((path) => [path, ""]));

/** What a task makes of the files that it may see: any difference in them shows in everything it writes. */
function changeBy(task: PlannableTask, seen: Tree): Tree {
  const view = [...pathsOf(task, "write"), ...pathsOf(task, "read")].map((path) => seen.get(path));
  const text = createHash("sha1")
    .update(JSON.stringify([task.id, view]))
    .digest("hex");
  return new Map(pathsOf(task, "write").map((path) => [path, text]));
}

function runSerially(order: readonly TaskId[], backlog: Backlog): Tree {
  return order.reduce<Tree>(
    (tree, id) => new Map([...tree, ...changeBy(taskOf(id, backlog), tree)]),
    EMPTY,
  );
}

function taskOf(id: TaskId, backlog: Backlog): PlannableTask {
  return backlog.tasks[backlog.positions.get(id)!]!;
}

interface Landing {
  readonly id: TaskId;
  readonly startMs: number;
  readonly landMs: number;
}

/** Each task sees the tree as it was at its start; its change arrives when it lands. */
function runInParallel(landings: readonly Landing[], backlog: Backlog) {
  let tree = EMPTY;
  const changes = new Map<TaskId, Tree>();
  const order: TaskId[] = [];
  const moments = landings.flatMap(({ id, startMs, landMs }) => [
    { id, ms: startMs, isLanding: false },
    { id, ms: landMs, isLanding: true },
  ]);
  moments.sort((a, b) => a.ms - b.ms || Number(b.isLanding) - Number(a.isLanding));
  for (const { id, isLanding } of moments) {
    if (isLanding) {
      tree = new Map([...tree, ...changes.get(id)!]);
      order.push(id);
    } else changes.set(id, changeBy(taskOf(id, backlog), tree));
  }
  return { tree, order };
}

interface Timing {
  readonly minutes: readonly number[];
  readonly planOrder?: readonly TaskId[];
}

function landingsOf(backlog: Backlog, { minutes, planOrder }: Timing): Landing[] {
  const { schedule } = simulate(backlog, {
    slots: SLOTS,
    from: instant(0),
    actualMs: (at) => minutes[at]! * MINUTE,
    ...(planOrder && { planOrder }),
  });
  return schedule.map(({ id, startMs, endMs }) => ({ id, startMs, landMs: endMs }));
}

const prepare = (tasks: readonly PlannableTask[]): Backlog =>
  prepareBacklog(tasks, { slots: SLOTS, claims: NO_FILE_RULES });
const tasks = arbitraryTasks({ most: 12 });

const sameAsInLandingOrder = (prepared: (tasks: readonly PlannableTask[]) => Backlog, lateMs = 0) =>
  fc.property(tasks, arbitraryMinutes, (given, minutes) => {
    const backlog = prepared(given);
    const landings = landingsOf(backlog, { minutes });
    const late = landings.map((landing) => ({ ...landing, landMs: landing.landMs + lateMs }));
    const { tree, order } = runInParallel(late, backlog);
    expect(tree).toEqual(runSerially(order, backlog));
  });

const sameForTwoTimings = (isPlanOrderKept: boolean) =>
  fc.property(tasks, arbitraryMinutes, arbitraryMinutes, (given, one, two) => {
    const backlog = prepare(given);
    const { order } = planBacklog(backlog, { slots: SLOTS });
    const planOrder = isPlanOrderKept ? { planOrder: order } : {};
    const trees = [one, two].map(
      (minutes) => runInParallel(landingsOf(backlog, { minutes, ...planOrder }), backlog).tree,
    );
    expect(trees[0]).toEqual(trees[1]);
    if (isPlanOrderKept) expect(trees[0]).toEqual(runSerially(order, backlog));
  });

/** A backlog whose conflicts ignore what tasks only read. */
function withoutReadClaims(given: readonly PlannableTask[]): Backlog {
  return prepareBacklog(given, {
    slots: SLOTS,
    graphOf: (sorted) =>
      buildConflictGraph(
        sorted.map((task) => ({
          ...task,
          claims: task.claims.filter(({ mode }) => mode === "write"),
        })),
        NO_FILE_RULES,
      ),
  });
}

describe("serial parity", () => {
  it("holds in landing order, whatever the timing", () => {
    fc.assert(sameAsInLandingOrder(prepare), RUNS);
  });

  it("holds in plan order when conflicting tasks keep it, whatever the timing", () => {
    fc.assert(sameForTwoTimings(true), RUNS);
  });

  it("lets neighbours in a serial order change places when they do not conflict", () => {
    fc.assert(
      fc.property(tasks, (given) => {
        const backlog = prepare(given);
        const order = backlog.tasks.map(({ id }) => id);
        const tree = runSerially(order, backlog);
        for (let at = 0; at + 1 < order.length; at += 1) {
          if (backlog.graph.conflicts(at, at + 1)) continue;
          const swapped = order.with(at, order[at + 1]!).with(at + 1, order[at]!);
          expect(runSerially(swapped, backlog)).toEqual(tree);
        }
      }),
      RUNS,
    );
  });
});

/** Each rule that parity needs: without it a counterexample must be found, or the tests above prove nothing. */
describe("serial parity breaks", () => {
  const isRefuted = <T>(property: fc.IProperty<T>): boolean =>
    fc.check(property, { numRuns: 2000, seed: 1 }).failed;

  it("without read claims", () => {
    expect(isRefuted(sameAsInLandingOrder(withoutReadClaims))).toBe(true);
  });

  it("when claims are released before the change has landed", () => {
    expect(isRefuted(sameAsInLandingOrder(prepare, 2 * MINUTE))).toBe(true);
  });

  it("between two timings, unless conflicting tasks keep the plan's order", () => {
    expect(isRefuted(sameForTwoTimings(false))).toBe(true);
  });
});
