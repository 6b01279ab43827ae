import { describe, expect, it } from "vitest";
import type { Move, Provenance } from "../../src/domain/provenance.ts";
import { decideLeaving } from "../../src/trust/decide-trust.ts";
import fc from "../support/fast-check.ts";

const WRITERS = new Set(["ann", "bob"]);
const ACCEPTED = { by: "ann", at: 100 };
const move = (by: string | undefined, at: number, to: Move["to"]): Move => ({
  by,
  at,
  to,
  automated: false,
});
const record = (...moves: readonly Move[]): Provenance => ({
  moves,
  edits: [],
  completeSince: -Infinity,
});
const decide = (...moves: readonly Move[]) => decideLeaving(record(...moves), ACCEPTED, WRITERS);

describe("decideLeaving", () => {
  it.each<[string, readonly Move[]]>([
    ["a writer moved the card away", [move("bob", 200, "away")]],
    ["a writer took the card off the board", [move("bob", 200, "gone")]],
    ["a writer closed the issue", [move("bob", 200, "closed")]],
    [
      "a writer moved it away, and a reader elsewhere",
      [move("ann", 200, "away"), move("eve", 201, "away")],
    ],
    [
      "a writer closed it, and a reader moved its card",
      [move("bob", 200, "closed"), move("eve", 201, "away")],
    ],
  ])("counts when %s", (_, moves) => {
    expect(decide(move("ann", 100, "ready"), ...moves)).toEqual({ kind: "counts" });
  });

  it("counts when the issue is gone", () => {
    expect(decideLeaving(undefined, ACCEPTED, WRITERS)).toEqual({ kind: "counts" });
  });

  it.each<[Move["to"], string]>([
    ["away", "its card was moved away by eve, who has no write access: that does not count"],
    ["gone", "its card was taken off the board by eve"],
    ["closed", "its issue was closed by eve"],
  ])("does not count when a reader did it: %s", (to, words) => {
    const verdict = decide(move("ann", 100, "ready"), move("eve", 200, to));
    expect(verdict).toMatchObject({ kind: "disregarded" });
    expect(verdict.kind === "disregarded" && verdict.reason).toContain(words);
  });

  it("does not count what a rule of the board did, nor what was done before it was accepted", () => {
    const rule = { ...move("ann", 200, "away"), automated: true };
    expect(decide(rule)).toMatchObject({ kind: "disregarded" });
    expect(decide(move("bob", 99, "away"), move("eve", 200, "away"))).toMatchObject({
      kind: "disregarded",
    });
  });

  it("does not count what a writer took back", () => {
    const back = [move("bob", 200, "away"), move("bob", 210, "ready"), move("eve", 220, "away")];
    expect(decide(...back)).toMatchObject({ kind: "disregarded" });
    const opened = [move("bob", 200, "closed"), move("bob", 210, "reopened")];
    expect(decide(...opened, move("eve", 220, "closed"))).toMatchObject({ kind: "disregarded" });
  });

  it("says that it does not know when nothing is on record", () => {
    expect(decide(move("ann", 100, "ready"))).toMatchObject({ kind: "unknown" });
  });

  it("is never swayed by what people without the right do", () => {
    const kinds = fc.constantFrom<Move["to"]>("ready", "ours", "away", "added", "gone", "closed");
    const moves = fc.array(fc.record({ at: fc.integer({ min: 100, max: 130 }), to: kinds }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(moves, moves, (trusted, theirs) => {
        const [ours, strangers] = [
          trusted.map(({ at, to }) => move("bob", at, to)),
          theirs.map(({ at, to }) => move("eve", at, to)),
        ];
        const inOrder = (all: readonly Move[]) => all.toSorted((a, b) => a.at - b.at);
        const alone = decide(...inOrder(ours)).kind === "counts";
        const among = decide(...inOrder([...ours, ...strangers])).kind === "counts";
        expect(among).toBe(alone);
      }),
      { numRuns: 300, seed: 12 },
    );
  });
});
