import { describe, expect, it } from "vitest";
import {
  renderResultTable,
  renderRunTimeline,
  renderTotals,
  whyNotLanded,
} from "../../../src/cli/try/report-outcome.ts";
import type { TaskResult, TryResult } from "../../../src/cli/try/result.ts";
import { shaOf } from "../../support/builders.ts";

const LANDED: TaskResult = {
  id: "a",
  state: "landed",
  outcome: "succeeded",
  reason: "landed on main",
  attempts: 1,
  wave: 1,
  pr: 11,
  startedAt: null,
  finishedAt: null,
  landedAt: null,
  landedSha: shaOf(9),
  runner: "agent",
  tail: [],
  log: null,
};
const FAILED: TaskResult = {
  ...LANDED,
  id: "b",
  state: "failed",
  reason: "gave up",
  wave: null,
  pr: null,
  landedSha: null,
};

function result(tasks: readonly TaskResult[]): TryResult {
  return {
    tasks,
    main: shaOf(9),
    startedAt: "",
    finishedAt: "",
    repo: "/r",
    apiCalls: { rest: 10, graphql: 5, writes: 4, contentWrites: 2, refused: 0 },
    maxParallel: 2,
    serialTimeMs: 9000,
    wallTimeMs: 3000,
    speedUp: 3,
    speedUpAllowed: 3.5,
  };
}

describe("renderResultTable", () => {
  it("gives the reason only of what did not land", () => {
    const table = renderResultTable([LANDED, FAILED], 100);
    expect(table).toContain("#11");
    expect(table).toContain("0000000");
    expect(table).toContain("gave up");
    expect(table).not.toContain("landed on main");
  });
});

describe("whyNotLanded", () => {
  it("shows how the last run ended, what it said, and where its log is", () => {
    const failed = {
      outcome: "failed",
      tail: ["npm ERR! 404", "\u001b[2Jbye"],
      log: "/logs/b.log",
    };
    expect(whyNotLanded({ ...FAILED, ...failed })).toEqual([
      "b: the last run of agent ended as failed; log: /logs/b.log",
      "  | npm ERR! 404",
      "  |  [2Jbye",
    ]);
  });

  it("has nothing to say of what landed, or never ran", () => {
    expect(whyNotLanded(LANDED)).toEqual([]);
    expect(whyNotLanded({ ...FAILED, outcome: null })).toEqual([]);
  });
});

describe("renderTotals", () => {
  it("compares with one after the other and counts calls for each landed task", () => {
    expect(renderTotals(result([LANDED, FAILED]))).toBe(
      [
        "1 of 2 landed in 3.0 s; one after the other it would have taken 9.0 s (3.0× of the 3.5× that the plan allows, 2 at once)",
        "15 API calls (10 REST, 5 GraphQL, 4 of them writes): 15.0 for each landed task",
      ].join("\n"),
    );
  });

  it("divides by nothing when nothing landed or no time passed", () => {
    const words = renderTotals({ ...result([FAILED]), wallTimeMs: 0, serialTimeMs: 0 });
    expect(words).toContain("– for each landed task");
    expect(words).not.toMatch(/NaN|Infinity/);
  });
});

describe("renderRunTimeline", () => {
  it("has a lane for each task", () => {
    const timeline = renderRunTimeline(
      [
        { id: "b", task: "b", kind: "verify", startedAt: 600, finishedAt: 900 },
        { id: "a", task: "a", kind: "run", startedAt: 100, finishedAt: 500 },
      ],
      100,
      60,
    );
    expect(timeline).toMatch(/a[^]*b/);
  });

  it("is no trouble without anything to show", () => {
    expect(() => renderRunTimeline([], 0, 60)).not.toThrow();
  });
});
