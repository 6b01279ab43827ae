import { describe, expect, it } from "vitest";
import { instant } from "../../src/domain/ids.ts";
import { needsProof, takenBack } from "../../src/trust/needs-proof.ts";
import { aCard, aTask } from "../support/builders.ts";

const HASH = "hash of what the issue says";
const read = (members: Parameters<typeof aCard>[0] = {}, specHash = HASH) => {
  const card = aCard({ role: "ready", movedAt: 5, ...members });
  return { card, spec: aTask().spec, specHash };
};
const task = (state: ReturnType<typeof aTask>["state"], specHash = HASH) =>
  aTask({ state, specHash, readySince: instant(5) });

describe("needsProof", () => {
  it("asks who stands behind a card that is new in Ready", () => {
    expect(needsProof(read(), undefined)).toBe(true);
    expect(needsProof(read({ role: "running" }), undefined)).toBe(false);
  });

  it("asks nothing about a closed issue", () => {
    const closed = { ...aCard().issue, state: "completed" } as const;
    expect(needsProof(read({ issue: closed }), undefined)).toBe(false);
    expect(needsProof(read({ issue: closed, movedAt: 6 }), task("failed"))).toBe(false);
  });

  it.each(["waiting", "blocked"] as const)("asks when a %s task says something else", (state) => {
    expect(needsProof(read(), task(state))).toBe(false);
    expect(needsProof(read({}, "another"), task(state))).toBe(true);
  });

  it.each(["failed", "cancelled"] as const)("asks when a %s task is made ready again", (state) => {
    expect(needsProof(read(), task(state))).toBe(false);
    expect(needsProof(read({ movedAt: 6 }), task(state))).toBe(true);
    expect(needsProof(read({ movedAt: 6, role: "blocked" }), task(state))).toBe(false);
  });

  it.each(["running", "review", "queued", "landed"] as const)(
    "leaves a %s task with what it was trusted with",
    (state) => {
      expect(needsProof(read({ movedAt: 9 }, "another"), task(state))).toBe(false);
    },
  );
});

describe("takenBack", () => {
  const accepted = { acceptedBy: "ann", acceptedAt: instant(5) };
  const away = read({ role: undefined });

  it.each(["waiting", "blocked", "running"] as const)("asks who took a %s task away", (state) => {
    const one = aTask({ state, ...accepted });
    expect(takenBack(one, away, {})).toEqual({ by: "ann", at: 5 });
    expect(takenBack(one, undefined, {})).toEqual({ by: "ann", at: 5 });
    expect(takenBack(one, read(), {})).toBeUndefined();
  });

  it("asks nothing about what nobody accepted, or what a card does not keep", () => {
    expect(takenBack(aTask({ state: "blocked" }), away, {})).toBeUndefined();
    for (const state of ["review", "queued", "landed", "failed", "cancelled"] as const)
      expect(takenBack(aTask({ state, ...accepted }), away, {})).toBeUndefined();
  });
});
