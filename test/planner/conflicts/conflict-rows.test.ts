import { describe, expect, it } from "vitest";
import { ConflictRows } from "../../../src/planner/conflicts/conflict-rows.ts";
import fc from "../../support/fast-check.ts";

describe("ConflictRows", () => {
  it("relates like a set of pairs, whatever the size", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }).chain(joinsOf), ({ size, joins }) => {
        const rows = new ConflictRows(size);
        const pairs = new Set<string>();
        for (const [a, b] of joins) {
          rows.join(a, b);
          for (const i of a) for (const j of b) addPair(pairs, i, j);
        }
        for (let i = 0; i < size; i += 1) {
          const expected = Array.from({ length: size }, (_, j) => j).filter((j) =>
            pairs.has(`${i} ${j}`),
          );
          expect([...rows.neighbours(i)]).toEqual(expected);
          expect(rows.degree(i)).toBe(expected.length);
          expect(expected.every((j) => rows.has(i, j) && rows.has(j, i))).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function joinsOf(size: number): fc.Arbitrary<{ size: number; joins: [number[], number[]][] }> {
  const list = fc.array(fc.nat(size - 1), { maxLength: size });
  return fc.record({
    size: fc.constant(size),
    joins: fc.array(fc.tuple(list, list), { maxLength: 4 }),
  });
}

function addPair(pairs: Set<string>, i: number, j: number): void {
  if (i !== j) pairs.add(`${i} ${j}`).add(`${j} ${i}`);
}
