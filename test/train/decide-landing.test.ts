import { describe, expect, it } from "vitest";
import { entryMayFollow } from "../../src/domain/entry.ts";
import { decideLanded, decideNotLanded, landingKey } from "../../src/train/decide-landing.ts";
import { NOW, aTask, anEntry, shaOf, someEvidence } from "../support/builders.ts";

const ENTRY = anEntry({ state: "landing", evidence: someEvidence() });
const LANDING = { entry: ENTRY, task: aTask({ state: "queued" }) };
const VERIFIED = { commit: shaOf(5), tree: shaOf(3), parent: shaOf(1), now: NOW };

describe("decideLanded", () => {
  it("ends entry and task together and settles the intent", () => {
    const { changes, breach } = decideLanded(LANDING, VERIFIED);
    expect(breach).toBeUndefined();
    expect(changes).toMatchObject([
      { kind: "entry-moved", from: "landing", to: "landed", set: { landedSha: shaOf(5) } },
      { kind: "task-moved", from: "queued", to: "landed", set: { landedSha: shaOf(5) } },
      { kind: "intent-settled", key: landingKey(ENTRY) },
    ]);
  });

  it.each([
    ["another tree", { ...VERIFIED, tree: shaOf(9) }, LANDING],
    ["another parent", { ...VERIFIED, parent: shaOf(9) }, LANDING],
    ["no parent", { ...VERIFIED, parent: undefined }, LANDING],
    ["no evidence", VERIFIED, { ...LANDING, entry: anEntry({ state: "landing" }) }],
  ])("is landed all the same, and says so loudly, with %s", (_, commit, landing) => {
    const { changes, breach } = decideLanded(landing, commit);
    expect(breach).toBeDefined();
    expect(changes[0]).toMatchObject({ to: "landed", reason: breach });
  });
});

describe("decideNotLanded", () => {
  it("verifies again what may still land, and drops its evidence", () => {
    expect(decideNotLanded(LANDING, { to: "queued", reason: "moved", now: NOW })).toMatchObject([
      { kind: "entry-moved", from: "landing", to: "queued", set: { evidence: null } },
      { kind: "intent-settled", key: landingKey(ENTRY), result: "moved" },
    ]);
  });

  it.each(["superseded", "rejected"] as const)("gives a %s change back to review", (to) => {
    expect(decideNotLanded(LANDING, { to, reason: "no", now: NOW })).toMatchObject([
      { kind: "entry-moved", from: "landing", to },
      { kind: "task-moved", from: "queued", to: "review", reason: "no" },
      { kind: "intent-settled" },
    ]);
    expect(entryMayFollow("landing", to)).toBe(true);
  });
});
