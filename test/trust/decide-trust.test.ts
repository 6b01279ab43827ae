import { describe, expect, it } from "vitest";
import type { Deed, Edit, Move, Provenance } from "../../src/domain/provenance.ts";
import { decideTrust } from "../../src/trust/decide-trust.ts";
import type { Asked } from "../../src/trust/decide-trust.ts";
import fc from "../support/fast-check.ts";

const WRITERS = new Set(["ann", "bob"]);
const NEW: Asked = { accepted: undefined, after: undefined, sameText: false };

const by = (login: string | undefined, at: number): Deed => ({ by: login, at, automated: false });
const move = (login: string | undefined, at: number, to: Move["to"] = "ready"): Move => ({
  ...by(login, at),
  to,
});
const edit = (login: string | undefined, at: number, what: Edit["what"] = "text"): Edit => ({
  ...by(login, at),
  what,
});
const record = (moves: readonly Move[], ...edits: readonly Edit[]): Provenance => ({
  moves,
  edits,
  completeSince: -Infinity,
});
const madeReady = (login: string | undefined, ...edits: readonly Edit[]): Provenance =>
  record([move(login, 100)], ...edits);
const rule: Move = { ...move("ann", 100), automated: true };

describe("decideTrust", () => {
  it.each([
    ["made ready by a writer", madeReady("ann")],
    ["added straight into Ready by a writer", record([move("ann", 100, "added")])],
    ["edited by its author before a writer made it ready", madeReady("ann", edit("eve", 99))],
    ["edited by another writer afterwards", madeReady("ann", edit("bob", 200))],
    ["labelled by a writer afterwards", madeReady("ann", edit("ann", 200, "labels"))],
    ["closed and opened again", record([move("ann", 100), move("eve", 110, "closed")])],
  ])("trusts an issue %s", (_, provenance) => {
    expect(decideTrust(provenance, NEW, WRITERS)).toEqual({
      kind: "trusted",
      gesture: { by: "ann", at: 100 },
    });
  });

  const untrusted: readonly [string, Provenance, string][] = [
    ["that nobody is on record for", record([]), "nobody is on record"],
    ["made ready by a reader", madeReady("eve"), "made ready by eve, who has no write access"],
    ["made ready by a ghost", madeReady(undefined), "an account that is gone"],
    ["made ready by a rule of the board", record([rule]), "made ready by the program ann"],
    [
      "that a reader made ready after a writer had",
      record([move("ann", 100), move("eve", 150, "away"), move("eve", 160)]),
      "made ready by eve",
    ],
    [
      "that a reader added again after a writer's card was taken off",
      record([move("ann", 100), move("bob", 150, "gone"), move("eve", 160, "added")]),
      "made ready by eve",
    ],
    ["whose text a reader changed later", madeReady("ann", edit("eve", 200)), "its text changed"],
    ["whose title a reader changed", madeReady("ann", edit("eve", 200, "title")), "its title"],
    ["whose labels a reader changed", madeReady("ann", edit("eve", 200, "labels")), "its labels"],
    ["changed within the same second", madeReady("ann", edit("eve", 100)), "its text changed"],
    ["changed at no known time", madeReady("ann", edit("eve", NaN)), "its text changed"],
    ["changed by a ghost", madeReady("ann", edit(undefined, 200)), "an account that is gone"],
    [
      "that a writer edited on top of a reader's edit",
      madeReady("ann", edit("eve", 200), edit("bob", 300), edit("ann", 400)),
      "its text changed after it was made ready, by eve",
    ],
    [
      "whose history does not go back to the gesture",
      { ...madeReady("ann", edit("ann", 200)), completeSince: 100 },
      "than GitHub tells",
    ],
  ];
  it.each(untrusted)("does not trust an issue %s", (_, provenance, reason) => {
    const verdict = decideTrust(provenance, NEW, WRITERS);
    expect(verdict.kind).toBe("untrusted");
    expect(verdict.kind === "untrusted" && verdict.reason).toContain(reason);
  });

  const accepted = { by: "ann", at: 100 };
  const kindOf = (provenance: Provenance, asked: Partial<Asked>) =>
    decideTrust(provenance, { ...NEW, ...asked }, WRITERS).kind;

  it("goes by the gesture that it was accepted by, whatever became of the card", () => {
    const moved = record([move("eve", 200, "away")], edit("bob", 300));
    expect(kindOf(moved, { accepted, after: 100 })).toBe("trusted");
    expect(kindOf({ ...moved, completeSince: 50 }, { accepted })).toBe("trusted");
  });

  it("takes the words that were accepted back when they are as they were, but not labels", () => {
    const back = madeReady("ann", edit("eve", 200), edit("eve", 300, "title"));
    expect(kindOf(back, { accepted, sameText: true })).toBe("trusted");
    const labelled = madeReady("ann", edit("eve", 200, "labels"));
    expect(kindOf(labelled, { accepted, sameText: true })).toBe("untrusted");
  });

  it("does not count a gesture twice", () => {
    expect(kindOf(madeReady("ann"), { after: 100 })).toBe("untrusted");
    expect(kindOf(madeReady("ann"), { after: 99 })).toBe("trusted");
  });

  it("takes a command for a gesture at the moment when it was given", () => {
    const edited = madeReady("ann", edit("eve", 200));
    expect(kindOf(edited, { accepted, command: { by: "bob", at: 201 } })).toBe("trusted");
    expect(kindOf(edited, { accepted, command: { by: "bob", at: 200 } })).toBe("untrusted");
    expect(kindOf(edited, { accepted, command: { by: "bob", at: NaN } })).toBe("untrusted");
  });

  const people = fc.constantFrom("ann", "bob", "eve", "mallory", undefined);
  const deeds = fc.array(
    fc.record({ who: people, at: fc.nat(30), what: fc.constantFrom("text", "title", "labels") }),
    { maxLength: 8 },
  );
  const moves = fc.array(
    fc.record({
      who: people,
      at: fc.nat(30),
      to: fc.constantFrom("ready", "ours", "away", "added", "gone", "closed", "reopened"),
    }),
    { maxLength: 6 },
  );
  const history = fc.tuple(moves, deeds).map(([moved, edited]) =>
    record(
      moved.toSorted((a, b) => a.at - b.at).map(({ who, at, to }) => move(who, at, to)),
      ...edited.map(({ who, at, what }) => edit(who, at, what)),
    ),
  );

  it("never trusts a word that a stranger wrote since the gesture, whoever wrote after them", () => {
    fc.assert(
      fc.property(history, fc.option(fc.nat(30), { nil: undefined }), (provenance, at) => {
        const before = at === undefined ? undefined : { by: "ann", at };
        const asked = { ...NEW, accepted: before };
        const verdict = decideTrust(provenance, asked, WRITERS);
        if (verdict.kind === "untrusted") return;
        const { gesture } = verdict;
        expect(WRITERS.has(gesture.by)).toBe(true);
        for (const one of provenance.edits)
          expect(one.at < gesture.at || WRITERS.has(one.by ?? "")).toBe(true);
      }),
      { numRuns: 300, seed: 12 },
    );
  });

  it("never trusts more because strangers did something", () => {
    fc.assert(
      fc.property(history, deeds, (provenance, more) => {
        const theirs = more.map(({ at, what }) => edit("eve", at, what));
        const before = decideTrust(provenance, NEW, WRITERS);
        const after = decideTrust(
          { ...provenance, edits: [...provenance.edits, ...theirs] },
          NEW,
          WRITERS,
        );
        if (before.kind === "untrusted") expect(after.kind).toBe("untrusted");
      }),
      { numRuns: 300, seed: 12 },
    );
  });
});
