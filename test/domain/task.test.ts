import { describe, expect, it } from "vitest";
import type { Claim } from "../../src/domain/claim/claim.ts";
import { holdsClaims, isPlanned, mayFollow, claimsOf, withClaims } from "../../src/domain/task.ts";
import type { TaskState } from "../../src/domain/task.ts";
import { aHold, aSpec, aTask } from "../support/builders.ts";

const STATES: readonly TaskState[] = [
  "waiting",
  "blocked",
  "running",
  "review",
  "queued",
  "landed",
  "failed",
  "cancelled",
];

describe("mayFollow", () => {
  it.each<{ from: TaskState; to: readonly TaskState[] }>([
    { from: "waiting", to: ["waiting", "running", "blocked", "cancelled", "landed"] },
    { from: "blocked", to: ["running", "waiting", "cancelled", "landed"] },
    { from: "running", to: ["review", "queued", "waiting", "failed", "cancelled"] },
    { from: "review", to: ["queued", "running", "waiting", "landed", "failed", "cancelled"] },
    { from: "queued", to: ["review", "landed", "waiting", "failed", "cancelled"] },
    { from: "failed", to: ["waiting", "cancelled", "landed"] },
    { from: "cancelled", to: ["waiting", "landed"] },
    { from: "landed", to: [] },
  ])("lets $from become nothing but $to", ({ from, to }) => {
    expect(STATES.filter((next) => mayFollow(from, next)).toSorted()).toEqual(to.toSorted());
  });
});

describe("the states of a task", () => {
  it("hold claims from the start of a run until the change has landed or is given up", () => {
    expect(STATES.filter(holdsClaims)).toEqual(["running", "review", "queued"]);
  });

  it("are planned until the change has landed or the task was given up", () => {
    const over = STATES.filter((state) => !isPlanned(state));
    expect(over.toSorted()).toEqual(["cancelled", "failed", "landed"]);
  });
});

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
