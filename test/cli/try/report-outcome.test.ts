import { describe, expect, it } from "vitest";
import {
  renderInterrupted,
  renderReasons,
  renderResultTable,
  renderRunTimeline,
  renderTotals,
  whyNotLanded,
} from "../../../src/cli/try/report-outcome.ts";
import type { TaskResult, TryResult } from "../../../src/cli/try/result.ts";
import { renderBaseFailure } from "../../../src/cli/trial/render-base-failure.ts";
import { shaOf } from "../../support/builders.ts";

const LANDED: TaskResult = {
  id: "a",
  state: "landed",
  whereabouts: "landed",
  outcome: "succeeded",
  reason: "landed on main",
  attempts: 1,
  wave: 1,
  pr: 11,
  startedAt: null,
  finishedAt: null,
  landedAt: null,
  landedSha: shaOf(9),
  agentMs: 61_000,
  verifyMs: 1500,
  usage: null,
  runner: "agent",
  tail: [],
  log: null,
};
const FAILED: TaskResult = {
  ...LANDED,
  id: "b",
  state: "failed",
  whereabouts: "failed",
  reason: "gave up",
  wave: null,
  pr: null,
  landedSha: null,
};

function result(tasks: readonly TaskResult[]): TryResult {
  return {
    tasks,
    end: "at-rest",
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

const USAGE = { inputTokens: 1200, outputTokens: 300, costUsd: 0.5 };

describe("renderResultTable", () => {
  it("says how long agents worked and how long their changes were verified", () => {
    expect(renderResultTable([LANDED, FAILED], 100)).toBe(
      [
        "task  state     wave  attempts  agent  verify  pull  commit",
        "a     landed       1         1   1:01   1.5 s   #11  0000000",
        "b     given up     –         1   1:01   1.5 s     –  –",
      ].join("\n"),
    );
  });

  it("has tokens and cost only where a runner tells them", () => {
    const table = renderResultTable([{ ...LANDED, usage: USAGE }, FAILED], 100);
    expect(table).toContain("tokens   cost");
    expect(table).toContain("1,500  $0.50");
    expect(table).toContain("     –      –");
  });

  it.each([20, 30, 40, 60])("fits %d columns", (width) => {
    const lines = renderResultTable([{ ...LANDED, usage: USAGE }, FAILED], width).split("\n");
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
    expect(lines[0]).toMatch(/^task {2}state/);
  });
});

describe("renderReasons", () => {
  it("says only of what did not land why", () => {
    expect(
      renderReasons([
        LANDED,
        FAILED,
        { ...FAILED, id: "c", state: "review", whereabouts: "review" },
      ]),
    ).toBe("b: given up: gave up\nc: in review: gave up");
    expect(renderReasons([LANDED])).toBe("");
  });
});

describe("renderBaseFailure", () => {
  it("has the sentence, the last lines without their colours, and the whole log", () => {
    const tail = `${"early\n".repeat(20)}\u001b[31m1 failing\u001b[0m\n\n`;
    const lines = renderBaseFailure({ reason: "the base fails", tail, log: "/l" }).split("\n");
    expect(lines.slice(0, 2)).toEqual(["error: the base fails", "  early"]);
    expect(lines.slice(-2)).toEqual(["  1 failing", "The whole output: /l"]);
    expect(lines).toHaveLength(14);
  });
});

describe("renderInterrupted", () => {
  const end = { result: result([LANDED, { ...FAILED, state: "running" }]), branch: "main" };

  it("says what was ended and how to go on", () => {
    expect(renderInterrupted(end, { repo: "/r", keep: false })).toBe(
      "Interrupted: the states above are those of that moment, and nothing goes on. What was running has been ended: b. To go on, pull what has landed on main and try again with the 1 left in the task file.",
    );
    expect(renderInterrupted(end, { repo: undefined, keep: false })).toContain("Begin again");
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

  it("adds up tokens and money that were told", () => {
    const tasks = [
      { ...LANDED, usage: USAGE },
      { ...FAILED, usage: { ...USAGE, costUsd: null } },
    ];
    expect(renderTotals(result(tasks))).toContain(
      "2,400 tokens read, 600 written, $0.50, as the runner tells",
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
