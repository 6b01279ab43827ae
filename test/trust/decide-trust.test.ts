import { describe, expect, it } from "vitest";
import type { Deed, Edit, Provenance } from "../../src/domain/provenance.ts";
import { decideTrust, peopleToAsk } from "../../src/trust/decide-trust.ts";

const WRITERS = new Set(["ann", "bob"]);

const by = (login: string | undefined, at: number): Deed => ({ by: login, at, automated: false });
const edit = (login: string | undefined, at: number, what: Edit["what"] = "text"): Edit => ({
  ...by(login, at),
  what,
});
const madeReady = (login: string | undefined, ...edits: readonly Edit[]): Provenance => ({
  madeReady: by(login, 100),
  edits,
});

describe("decideTrust", () => {
  it.each([
    ["made ready by a writer", madeReady("ann")],
    ["edited by its author before a writer made it ready", madeReady("ann", edit("eve", 99))],
    ["edited by another writer afterwards", madeReady("ann", edit("bob", 200))],
    ["labelled by a writer afterwards", madeReady("ann", edit("ann", 200, "labels"))],
  ])("trusts an issue %s", (_, provenance) => {
    expect(decideTrust(provenance, WRITERS)).toEqual({ kind: "trusted" });
  });

  it.each([
    ["that nobody is on record for", { madeReady: undefined, edits: [] }, "nobody is on record"],
    ["made ready by a reader", madeReady("eve"), "made ready by eve, who has no write access"],
    ["made ready by a ghost", madeReady(undefined), "an account that is gone"],
    [
      "made ready by a rule of the board",
      { madeReady: { ...by("ann", 100), automated: true }, edits: [] },
      "made ready by the program ann",
    ],
    ["whose text a reader changed later", madeReady("ann", edit("eve", 200)), "its text changed"],
    ["whose title a reader changed", madeReady("ann", edit("eve", 200, "title")), "its title"],
    ["whose labels a reader changed", madeReady("ann", edit("eve", 200, "labels")), "its labels"],
    ["changed within the same second", madeReady("ann", edit("eve", 100)), "its text changed"],
    ["changed by a ghost", madeReady("ann", edit(undefined, 200)), "an account that is gone"],
  ])("does not trust an issue %s", (_, provenance, reason) => {
    const verdict = decideTrust(provenance, WRITERS);
    expect(verdict.kind).toBe("untrusted");
    expect(verdict.kind === "untrusted" && verdict.reason).toContain(reason);
  });
});

describe("peopleToAsk", () => {
  it("asks once about each person whose deed counts, and about no program", () => {
    const provenance = madeReady(
      "ann",
      edit("old", 99),
      edit("ann", 150),
      edit("bob", 160, "labels"),
      { ...edit("ci", 170, "labels"), automated: true },
      edit(undefined, 180),
    );
    expect(peopleToAsk(provenance)).toEqual(["ann", "bob"]);
  });

  it("asks about nobody when no one made it ready", () => {
    expect(peopleToAsk({ madeReady: undefined, edits: [edit("eve", 1)] })).toEqual([]);
  });
});
