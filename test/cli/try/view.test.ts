import { describe, expect, it } from "vitest";
import { reasonAt, viewOf, withNames } from "../../../src/cli/try/view.ts";
import { instant } from "../../../src/domain/ids.ts";
import { NOW, aRun, aTask } from "../../support/builders.ts";

const CALM = { run: undefined, onBaseSince: undefined, verify: "npm test" };
const ended = aRun({ state: "running", agentEndedAt: instant(NOW + 5) });

describe("viewOf", () => {
  it("tells a run whose agent has ended from one at work", () => {
    const task = aTask({ state: "running", reason: "free" });
    expect(viewOf(task, { ...CALM, run: aRun({ state: "running" }) })).toMatchObject({
      phase: "running",
      reason: "free",
    });
    expect(viewOf(task, { ...CALM, run: ended })).toMatchObject({
      phase: "verifying",
      reason: "its agent has ended; its change is being verified: npm test",
      since: NOW + 5,
    });
  });

  it("says that a change is on its way to the base", () => {
    const task = aTask({ state: "queued", reason: "approved by bob" });
    expect(viewOf(task, CALM)).toMatchObject({ phase: "queued", reason: "approved by bob" });
    expect(viewOf(task, { ...CALM, onBaseSince: NOW + 9 })).toMatchObject({
      phase: "queued",
      reason: "being verified with what is there",
      since: NOW + 9,
    });
  });

  it("leaves a task alone whose last run is over", () => {
    const run = { ...ended, state: "finished" as const };
    expect(viewOf(aTask({ state: "review" }), { ...CALM, run }).phase).toBe("review");
  });
});

describe("reasonAt", () => {
  it("says when it goes on by itself, until then", () => {
    const view = {
      title: "",
      phase: "review",
      reason: "asked",
      since: 0,
      notBefore: 100_000,
    } as const;
    expect(reasonAt(view, 0)).toBe("asked (in 1:40)");
    expect(reasonAt(view, 100_000)).toBe("asked");
  });
});

describe("withNames", () => {
  const names = {
    repo: "local/shop",
    byNumber: new Map([
      [3, "cart"],
      [900_001, "ghost"],
    ]),
  };

  it.each([
    ["waits for #3: both may write a.ts", "waits for cart: both may write a.ts"],
    ["depends on #900001, which is not there", "depends on ghost, which is not there"],
    ["waits for local/shop#3", "waits for cart"],
    ["#12 waits for a review", "#12 waits for a review"],
    ["other/shop#3, a#3, #3a, &#3; x/#3", "other/shop#3, a#3, #3a, &#3; x/#3"],
    ["(#3)", "(cart)"],
  ])("makes of %s: %s", (text, named) => {
    expect(withNames(text, names)).toBe(named);
  });
});
