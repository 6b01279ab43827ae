import { describe, expect, it } from "vitest";
import { decideMissed } from "../../src/intake/decide-missed.ts";
import type { DeliveryAttempt } from "../../src/ports/deliveries.ts";

function anAttempt(id: number, members: Partial<DeliveryAttempt> = {}): DeliveryAttempt {
  return { id: String(id), guid: `guid-${id}`, event: "issues", answered: false, ...members };
}

function missed(
  attempts: readonly DeliveryAttempt[],
  { known = [], firstLook = false }: { known?: readonly string[]; firstLook?: boolean } = {},
): readonly number[] {
  const facts = { attempts, known: new Set(known), events: new Set(["issues"]), firstLook };
  return decideMissed(facts).map(({ id }) => Number(id));
}

describe("decideMissed", () => {
  it("names what the store does not know, oldest first", () => {
    const attempts = [anAttempt(3), anAttempt(2), anAttempt(1)];
    expect(missed(attempts, { known: ["guid-2"] })).toEqual([1, 3]);
  });

  it("takes one attempt of a delivery that GitHub tried several times", () => {
    expect(missed([anAttempt(3, { guid: "same" }), anAttempt(2, { guid: "same" })])).toEqual([2]);
  });

  it("does not believe an answer when the store has nothing of it", () => {
    expect(missed([anAttempt(1, { answered: true })])).toEqual([1]);
  });

  it("leaves answered ones alone on the first look of all", () => {
    const attempts = [anAttempt(2, { answered: true }), anAttempt(1)];
    expect(missed(attempts, { firstLook: true })).toEqual([1]);
  });

  it("ignores events that never become a signal", () => {
    expect(missed([anAttempt(1, { event: "ping" })])).toEqual([]);
  });
});
