import { describe, expect, it } from "vitest";
import { EventTeller } from "../../../src/cli/explore/event-lines.ts";
import { renderExploreTree } from "../../../src/cli/explore/explore-tree.ts";
import {
  renderExploreFrame,
  wordExploreProgress,
} from "../../../src/cli/explore/show-exploration.ts";
import { levelOn } from "../../../src/domain/explore/next-step.ts";
import type { Exploration } from "../../../src/domain/exploration.ts";
import { instant } from "../../../src/domain/ids.ts";
import type { Run, RunOutcome } from "../../../src/domain/run.ts";
import {
  anExploration,
  aPlan,
  aRun,
  aTask,
  NOW,
  shaOf,
  SUCCEEDED,
} from "../../support/builders.ts";

const IDEAS = ["ideas/a.md", "ideas/b.md", "ideas/\u001b[2J\u202Ec.md"];
const PLAN = aPlan({
  ideas: IDEAS.map((name) => ({ name, text: "try it" })),
  depth: 2,
  beam: 1,
  baseScore: 10,
  retries: 1,
});

function explored(members: Partial<Exploration> = {}): Exploration {
  const root = [{ number: 0, commit: shaOf(1) }];
  const first = levelOn(root, PLAN, { depth: 1, after: 0, now: NOW });
  return anExploration({ task: aTask().id, plan: PLAN, levels: [first], ...members });
}

function later(ms: number) {
  return instant(NOW + ms);
}

function aTry(contender: number, members: Partial<Run>): Run {
  return aRun({ contender, startedAt: later(100), finishedAt: undefined, ...members });
}

const succeeded = (score: number): RunOutcome => ({ ...SUCCEEDED, score, merit: score });
const RUNS: readonly Run[] = [
  aTry(1, { state: "finished", finishedAt: later(2600), outcome: succeeded(12.5) }),
  aTry(2, {
    state: "finished",
    finishedAt: later(900),
    outcome: { kind: "failed", exitCode: 3, tail: "first\nno \u001b[31mway" },
  }),
  aTry(2, { state: "running", startedAt: later(1000), retry: 1, outcome: undefined }),
];

function progressOf(exploration: Exploration | undefined, runs: readonly Run[], ms: number) {
  return { task: aTask(), exploration, runs, startedAt: NOW, now: later(ms) };
}

describe("EventTeller", () => {
  it("tells everything once, in order, and nothing that moves the cursor", () => {
    const teller = new EventTeller(NOW);
    const exploration = explored();
    const lines = teller.news({ task: undefined, exploration, runs: RUNS });
    expect(lines.join("\n")).toMatchInlineSnapshot(`
      "   0.0 s  queued     level 1: 1 to 3, 3 ideas on the base
         0.1 s  started    1 (ideas/a.md)
         0.1 s  started    2 (ideas/b.md)
         0.9 s  requeued   2 (ideas/b.md): the runner ended with exit code 3; it said last: no way
         1.0 s  started    2 (ideas/b.md), attempt 2
         2.6 s  completed  1 (ideas/a.md): 12.5 (after 2.5 s)"
    `);
    expect(teller.news({ task: undefined, exploration, runs: RUNS })).toEqual([]);
  });

  it("does not tell an end again when it is called otherwise later", () => {
    const teller = new EventTeller(NOW);
    const runs = RUNS.slice(0, 2);
    teller.news({ task: undefined, exploration: explored(), runs });
    const stop = { why: "cancelled by you", keep: true };
    expect(teller.news({ task: undefined, exploration: explored({ stop }), runs })).toEqual([]);
  });
});

describe("renderExploreFrame", () => {
  it("draws a bar for each level, and what is at work", () => {
    expect(renderExploreFrame(progressOf(explored(), RUNS, 65_000), 72)).toMatchInlineSnapshot(`
      "
      ████████░░░░░░░░░░░░░░░░  level 1: 1 of 3, 1 running, best 12.5
       ▶  1:04  2 (ideas/b.md)

      1:05  level 1 of 2: 1 of 3 evaluations have ended, best 12.5 (base 10)"
    `);
  });

  it("says what is done before the first level is open", () => {
    expect(renderExploreFrame(progressOf(undefined, [], 3_000), 80)).toBe(
      "0:03  the ideas are read, and the base is scored",
    );
  });

  it("fits into a window whatever runs", () => {
    const ideas = Array.from({ length: 40 }, (_, at) => ({ name: `idea ${at}`, text: "x" }));
    const plan = aPlan({ ideas });
    const level = levelOn([{ number: 0, commit: shaOf(1) }], plan, {
      depth: 1,
      after: 0,
      now: NOW,
    });
    const runs = ideas.map((_, at) => aTry(at + 1, { state: "running", outcome: undefined }));
    const frame = renderExploreFrame(progressOf(explored({ plan, levels: [level] }), runs, 0), 40);
    expect(frame.split("\n").length).toBeLessThan(20);
    expect(frame).toContain("and 28 more");
    expect(Math.max(...frame.split("\n").map((line) => line.length))).toBeLessThanOrEqual(40);
  });
});

describe("wordExploreProgress", () => {
  it("says how far it is and what is at work", () => {
    expect(wordExploreProgress(progressOf(explored(), RUNS, 0))).toBe(
      "level 1 of 2: 1 of 3 evaluations have ended, best 12.5 (base 10); at work: 2 (ideas/b.md)",
    );
  });
});

describe("renderExploreTree", () => {
  it("draws each evaluation below what it began from", () => {
    const first = { ...explored().levels[0]!, promoted: [1], closedAt: later(3000) };
    const nodes = [{ number: 1, commit: shaOf(2) }];
    const second = levelOn(nodes, PLAN, { depth: 2, after: 3, now: later(3000) });
    const end = { why: "level 2 was the last", winner: 5 };
    const exploration = explored({ levels: [first, second], state: "ended", end });
    const runs = [
      ...RUNS.slice(0, 2),
      aTry(5, { state: "finished", finishedAt: later(9000), outcome: succeeded(20) }),
    ];
    expect(renderExploreTree(exploration, runs, 64)).toMatchInlineSnapshot(`
      "base 0000000: 10
      ├─ 1 (ideas/a.md): 12.5, promoted
      │  ├─ 4 (ideas/a.md): not begun: level 2 was the last
      │  ├─ 5 (ideas/b.md): 20, the winner
      │  └─ 6 (ideas/ [2J c.md): not begun: level 2 was the last
      ├─ 2 (ideas/b.md): not tried again: level 2 was the last
      └─ 3 (ideas/ [2J c.md): not begun: level 2 was the last"
    `);
  });
});
