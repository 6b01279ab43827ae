import { describe, expect, it } from "vitest";
import { holdsClaims, isPlanned, isTerminal, mayFollow } from "../../src/domain/task.ts";
import type { TaskState } from "../../src/domain/task.ts";

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

  it("are planned or terminal, never both and never neither", () => {
    for (const state of STATES) expect(isPlanned(state)).toBe(!isTerminal(state));
  });
});
