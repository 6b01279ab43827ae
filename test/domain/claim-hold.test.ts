import { describe, expect, it } from "vitest";
import { claimsOf, withClaims } from "../../src/domain/claim-hold.ts";
import type { Claim } from "../../src/domain/claim.ts";
import { aHold, aSpec, aTask } from "../support/builders.ts";

const EXTRA: Claim = { mode: "write", pattern: "src/extra.ts" };

describe("claimsOf", () => {
  it("is what a task declares until it holds something", () => {
    const other = aHold({ task: aTask({ issue: 2 }).id, claims: [EXTRA] });
    expect(claimsOf(aTask(), [other])).toEqual(aSpec().claims);
    expect(claimsOf(aTask(), [other, aHold({ claims: [EXTRA] })])).toEqual([EXTRA]);
  });
});

describe("withClaims", () => {
  it("adds what is not there in the same mode", () => {
    const read: Claim = { mode: "read", pattern: EXTRA.pattern };
    expect(withClaims([EXTRA], [EXTRA, read])).toEqual([EXTRA, read]);
  });
});
