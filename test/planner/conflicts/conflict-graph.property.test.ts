import { describe, expect, it } from "vitest";
import { buildConflictGraph } from "../../../src/planner/conflicts/conflict-graph.ts";
import type { ConflictGraph } from "../../../src/planner/conflicts/conflict-graph.ts";
import { compileTask, tasksConflict } from "../../../src/planner/conflicts/conflict-task.ts";
import type { ClaimingTask } from "../../../src/planner/conflicts/conflict-task.ts";
import { claim } from "../../domain/claim/support/compiled.ts";
import fc from "../../support/fast-check.ts";

const NAMES = [
  "a",
  "b",
  "B",
  "x.ts",
  "y.ts",
  "x.pkg",
  "yarn.lock",
  "*",
  "*.ts",
  "[0a]",
  "?",
  "**",
  "a*",
  "{a,b}",
];
const patterns = fc
  .tuple(
    fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 5 }),
    fc.constantFrom("", "", "", "/"),
  )
  .map(([names, end]) => names.join("/") + end);
const lines = fc
  .tuple(fc.constantFrom("", "", "", "", "read: ", "!"), patterns)
  .map(([mode, pattern]) => mode + pattern);
const taskSets = fc.array(tasksOf(lines), { minLength: 2, maxLength: 40 });
/** Few patterns for many tasks. */
const popularSets = fc
  .uniqueArray(lines, { minLength: 2, maxLength: 6 })
  .chain((few) => fc.array(tasksOf(fc.constantFrom(...few)), { minLength: 30, maxLength: 80 }));

describe("buildConflictGraph", () => {
  it("finds what comparing all pairs finds", () => {
    let [found, pairs] = [0, 0];
    fc.assert(
      fc.property(taskSets, (set) => {
        const expected = allPairs(set);
        const actual = edges(buildConflictGraph(set));
        expect(actual).toEqual(expected);
        found += expected.length;
        pairs += (set.length * (set.length - 1)) / 2;
      }),
      { numRuns: 400 },
    );
    expect(found / pairs).toBeGreaterThan(0.1);
    expect(found / pairs).toBeLessThan(0.9);
  });

  it("finds what comparing all pairs finds where many tasks share few patterns", () => {
    fc.assert(
      fc.property(popularSets, (set) => {
        expect(edges(buildConflictGraph(set))).toEqual(allPairs(set));
      }),
      { numRuns: 100 },
    );
  });

  it("loses no conflict when it may not compare patterns", () => {
    fc.assert(
      fc.property(taskSets, fc.nat(200), (set, maxComparisons) => {
        const wide = buildConflictGraph(set, { maxComparisons });
        for (const [i, j] of allPairs(set)) expect(wide.conflicts(i!, j!)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it("does not depend on the order of the tasks", () => {
    const shuffled = taskSets.chain((set) =>
      fc.record({
        set: fc.constant(set),
        options: fc.constantFrom({}, { maxComparisons: 50 }, { maxComparisons: 0 }),
        order: fc.shuffledSubarray([...set.keys()], { minLength: set.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ set, options, order }) => {
        const graph = buildConflictGraph(set, options);
        const other = buildConflictGraph(
          order.map((i) => set[i]!),
          options,
        );
        const renamed = edges(other).map((pair) => pair.map((i) => order[i]!).toSorted(ascending));
        expect(renamed.toSorted(byEnds)).toEqual(edges(graph));
      }),
      { numRuns: 100 },
    );
  });
});

function tasksOf(line: fc.Arbitrary<string>): fc.Arbitrary<ClaimingTask> {
  return fc.record({
    claims: fc.array(line, { maxLength: 4 }).map((all) => all.map(claim)),
    exclusive: fc.nat(30).map((n) => n === 0),
    parallelSafe: fc.nat(30).map((n) => n > 0),
  });
}

function allPairs(set: readonly ClaimingTask[]): number[][] {
  const compiled = set.map((task) => compileTask(task));
  return compiled.flatMap((a, i) =>
    compiled.flatMap((b, j) => (i < j && tasksConflict(a, b) ? [[i, j]] : [])),
  );
}

function edges(graph: ConflictGraph): number[][] {
  return Array.from({ length: graph.size }, (_, i) => i).flatMap((i) =>
    [...graph.neighbours(i)].filter((j) => i < j).map((j) => [i, j]),
  );
}

function ascending(a: number, b: number): number {
  return a - b;
}

function byEnds([a = 0, b = 0]: readonly number[], [c = 0, d = 0]: readonly number[]): number {
  return a - c || b - d;
}
