import { describe, expect, it } from "vitest";
import type { Exploration } from "../../../src/domain/exploration.ts";
import { instant } from "../../../src/domain/ids.ts";
import type { Run } from "../../../src/domain/run.ts";
import type { Exploring } from "../../../src/domain/story/task-story.ts";
import { renderExploration, renderWinner } from "../../../src/report/render/render-exploration.ts";
import { NOW, shaOf } from "../../support/builders.ts";
import {
  FAILED,
  aContest,
  aSearch,
  aWideSearch,
  anEndedSearch,
  levelAt,
  planned,
  scored,
  tried,
} from "../explorations.ts";

const TASK = { issue: 12 };

function render(exploring: Exploring, beside: readonly string[] = []): string {
  return renderExploration({ ...exploring, task: TASK }, beside);
}

/** The last cell of the row of an evaluation. */
function resultOf(exploring: Exploring, number: number): string | undefined {
  return new RegExp(`^\\| ${number} \\|.*\\| (.*) \\|$`, "m").exec(render(exploring))?.[1];
}

/** One level of these ideas, with what else is said of it. */
function aLevel(
  runs: readonly Run[],
  { ideas = ["a", "b"], closed, ...members }: Partial<Exploration> & OneLevel = {},
): Exploring {
  const { exploration } = aSearch();
  const plan = planned(ideas, { beam: 1, retries: 0 });
  const opened = levelAt(1, { parents: [0], after: 0, plan });
  const level = closed === undefined ? opened : { ...opened, closedAt: NOW, promoted: closed };
  return { exploration: { ...exploration, plan, levels: [level], ...members }, runs };
}

interface OneLevel {
  readonly ideas?: readonly string[];
  /** These were promoted. */
  readonly closed?: readonly number[];
}

describe("renderExploration", () => {
  it("shows how far it is, as a tree and as a table", () => {
    expect(render(aSearch())).toMatchInlineSnapshot(`
      "**Exploration**

      - Begun from 0000000, which scores 10; higher is better (\`speed\`)
      - Expected: up to 9 evaluations, about 1 h 30 min of work and 4.50 USD
      - Level 1: 3 of 3, 1 failed, best 12.5, promoted 2, 3
      - Level 2: 1 of 6, 1 running, best 13

      \`\`\`mermaid
      flowchart LR
        n0[("base 0000000<br/>10")]
        n0 --> n1[/"1 · bubble<br/>failed: the runner ended with exit code 3"/]:::failed
        n0 --> n2(["2 · heap<br/>11, promoted"]):::promoted
        n0 --> n3(["3 · merge<br/>12.5, promoted"]):::promoted
        n2 --> n4["4 · bubble<br/>13"]
        n2 --> n5["5 · heap<br/>queued again"]:::open
        n2 --> n6["6 · merge<br/>running"]:::open
        n3 --> n7["7 · bubble<br/>queued"]:::open
        n3 --> n8["8 · heap<br/>queued"]:::open
        n3 --> n9["9 · merge<br/>queued"]:::open
        classDef winner stroke-width:4px
        classDef promoted stroke-width:2px
        classDef failed stroke-dasharray:6 4
        classDef open stroke-dasharray:2 3
      \`\`\`

      | Id | Idea | Parent | Score | Time | Attempts | Cost | Result |
      | ---: | --- | ---: | ---: | ---: | ---: | ---: | --- |
      | 1 | bubble | base | – | 2 min | 2 | – | failed: the runner ended with exit code 3 |
      | 2 | heap | base | 11 | 2 min | 1 | 0.25 USD | **promoted** |
      | 3 | merge | base | 12.5 | 3 min | 1 | 1,234 tokens | **promoted** |
      | 4 | bubble | 2 | 13 | 4 min | 1 | – | succeeded |
      | 5 | heap | 2 | – | 5 min | 1 | – | queued again |
      | 6 | merge | 2 | – | – | 1 | – | running |
      | 7 | bubble | 3 | – | – | 0 | – | queued |
      | 8 | heap | 3 | – | – | 0 | – | queued |
      | 9 | merge | 3 | – | – | 0 | – | queued |

      What each of them made is kept in the server's mirror as \`refs/wavetrain/explore/12/<level>/1.<id>\`, such as \`refs/wavetrain/explore/12/1/1.1\`."
    `);
  });

  it("shows the end: why, the winner with its score beside the base's, and what was passed over", () => {
    expect(render(anEndedSearch())).toMatchInlineSnapshot(`
      "**Exploration**

      - Begun from 0000000, which scores 10; higher is better (\`speed\`)
      - Level 1: 3 of 3, 1 failed, best 12.5, promoted 2, 3
      - Level 2: 6 of 6, 2 failed, best 14, promoted 4, 7
      - It ended: level 2 was the last
      - The winner is 7, score 14 (base 10): \`bubble\`

      \`\`\`mermaid
      flowchart LR
        n0[("base 0000000<br/>10")]
        n0 --> n1[/"1 · bubble<br/>failed: the runner ended with exit code 3"/]:::failed
        n0 --> n2(["2 · heap<br/>11, promoted"]):::promoted
        n0 --> n3(["3 · merge<br/>12.5, promoted"]):::promoted
        n2 --> n4(["4 · bubble<br/>13, promoted"]):::promoted
        n2 --> n5[/"5 · heap<br/>failed: the runner ended with exit code 3"/]:::failed
        n2 --> n6[/"6 · merge<br/>failed: the runner ended with exit code 3"/]:::failed
        n3 --> n7{{"7 · bubble<br/>14, the winner"}}:::winner
        n3 --> n8["8 · heap<br/>9"]
        n3 --> n9["9 · merge<br/>9"]
        classDef winner stroke-width:4px
        classDef promoted stroke-width:2px
        classDef failed stroke-dasharray:6 4
        classDef open stroke-dasharray:2 3
      \`\`\`

      | Id | Idea | Parent | Score | Time | Attempts | Cost | Result |
      | ---: | --- | ---: | ---: | ---: | ---: | ---: | --- |
      | 1 | bubble | base | – | 2 min | 2 | – | failed: the runner ended with exit code 3 |
      | 2 | heap | base | 11 | 2 min | 1 | 0.25 USD | **promoted** |
      | 3 | merge | base | 12.5 | 3 min | 1 | 1,234 tokens | **promoted** |
      | 4 | bubble | 2 | 13 | 4 min | 1 | – | **promoted** |
      | 5 | heap | 2 | – | 5 min | 1 | – | failed: the runner ended with exit code 3 |
      | 6 | merge | 2 | – | 6 min | 1 | – | failed: the runner ended with exit code 3 |
      | 7 | bubble | 3 | 14 | 7 min | 1 | – | **the winner** |
      | 8 | heap | 3 | 9 | 8 min | 1 | – | not among the best 2 |
      | 9 | merge | 3 | 9 | 9 min | 1 | – | not among the best 2 |

      What each of them made is kept in the server's mirror as \`refs/wavetrain/explore/12/<level>/1.<id>\`, such as \`refs/wavetrain/explore/12/1/1.1\`."
    `);
  });

  it("says what it would cost and what it would try, before it begins", () => {
    expect(render(aSearch({ state: "to-confirm", levels: [] }))).toMatchInlineSnapshot(`
      "**Exploration**

      - Begun from 0000000, which scores 10; higher is better (\`speed\`)
      - Expected: up to 9 evaluations, about 1 h 30 min of work and 4.50 USD
      - Ideas: \`bubble\`, \`heap\`, \`merge\`"
    `);
  });

  it("names no more than twenty ideas before it begins", () => {
    const names = Array.from({ length: 23 }, (_, at) => `idea ${at + 1}`);
    const { exploration } = aSearch({ levels: [], plan: planned(names) });
    expect(render({ exploration, runs: [] })).toContain("`idea 19`, `idea 20` and 3 more");
  });

  it.each([
    ["low", "lower is better (`speed`)"],
    ["high", "higher is better (`speed`)"],
  ] as const)("says which score is better: %s", (best, words) => {
    const plan = planned(["a"], { score: { name: "speed", best, run: "./speed.sh", files: [] } });
    expect(render(aSearch({ levels: [], plan }))).toContain(`, which scores 10; ${words}`);
  });

  it("says what decides where nothing scores", () => {
    const { ideas, depth, beam, strict, retries, maxLost, expected } = planned(["a"]);
    const plan = { ideas, depth, beam, strict, retries, maxLost, expected };
    expect(render(aSearch({ levels: [], plan }))).toContain(
      "- Begun from 0000000; nothing scores it: fewer changed files are better\n",
    );
  });

  it("draws a score that is lower and better as the best", () => {
    const plan = planned(["a", "b"], {
      score: { name: "time", best: "low", run: "./time.sh", files: [] },
      beam: 1,
    });
    const merit = (score: number) => ({ ...scored(score), merit: -score });
    const runs = [tried(1, merit(3)), tried(2, merit(2))];
    const text = render(aLevel(runs, { plan, closed: [2] }));
    expect(text).toContain("- Level 1: 2 of 2, best 2, promoted 2\n");
  });
});

describe("what became of an evaluation", () => {
  const stop = { why: "cancelled by ann", keep: true };

  it.each<[string, Exploring, string | undefined]>([
    ["queued", aLevel([]), "queued"],
    ["at work", aLevel([tried(1)]), "running"],
    ["succeeded, and the others have not ended", aLevel([tried(1, scored(3))]), "succeeded"],
    ["promoted", aLevel([tried(1, scored(3)), tried(2, FAILED)], { closed: [1] }), "**promoted**"],
    [
      "the only one that is not promoted",
      aLevel([tried(1, scored(3)), tried(2, scored(4))], { closed: [2] }),
      "not the best",
    ],
    ["failed", aLevel([tried(1, FAILED)]), "failed: the runner ended with exit code 3"],
    [
      "not scored",
      aLevel([tried(1, { kind: "not-scored", tail: "" })]),
      "failed: the score command failed on the change, or printed no number",
    ],
    ["stopped before it began", aLevel([], { stop }), "not begun: cancelled by ann"],
    [
      "lost, and stopped before it was tried again",
      aLevel([tried(1, { kind: "lost", reason: "the app stopped", interrupted: true })], { stop }),
      "not tried again: cancelled by ann",
    ],
    [
      "left out by the end",
      aLevel([], { state: "ended", end: { why: "its budget of $20 is spent" } }),
      "not begun: its budget of \\$20 is spent",
    ],
    [
      "the winner",
      aLevel([tried(1, scored(3))], { state: "ended", end: { why: "over", winner: 1 } }),
      "**the winner**",
    ],
  ])("is said of one that is %s", (_, exploring, result) => {
    expect(resultOf(exploring, 1)).toBe(result);
  });

  it("is said of one that is begun again", () => {
    const plan = planned(["a"], { retries: 1 });
    expect(resultOf(aLevel([tried(1, FAILED)], { plan }), 1)).toBe("queued again");
  });

  it("is not among the best of several", () => {
    expect(resultOf(anEndedSearch(), 8)).toBe("not among the best 2");
  });

  it("counts all runs of it: their time, their number and their cost", () => {
    const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, costUsd: 0.125 };
    const plan = planned(["a"], { retries: 1 });
    const runs = [tried(1, FAILED, { usage }), tried(1, scored(3), { retry: 1, usage })];
    expect(render(aLevel(runs, { plan }))).toContain(
      "| 1 | a | base | 3 | 2 min | 2 | 0.25 USD | succeeded |",
    );
  });
});

describe("the end of an exploration", () => {
  const rebased = { onto: shaOf(0xabc1234), head: shaOf(8) };
  const base = rebased.onto.slice(0, 7);
  const ending = (end: Partial<NonNullable<Exploration["end"]>>): string =>
    render(anEndedSearch({ end: { why: "level 2 was the last", winner: 7, ...end } }));

  it.each([
    [{ ...rebased, score: 13.5 }, `put on ${base} and scored again, 13.5 instead of 14`],
    [{ ...rebased, score: 14 }, `put on ${base} and scored again, 14`],
    [rebased, `put on ${base}`],
  ])("shows both scores if the base moved: %j", (moved, words) => {
    expect(ending({ rebased: moved })).toContain(`- The base moved meanwhile: ${words}\n`);
  });

  it("says why the winner was left where it was made", () => {
    const problem = "it conflicts in src/*.ts";
    expect(ending({ rebased: { onto: rebased.onto, problem } })).toContain(
      `- The base moved meanwhile, to ${base}, and the winner was left where it was made: it conflicts in src/\\*.ts\n`,
    );
  });

  it("says that nothing was taken", () => {
    const end = { why: "no evaluation of the level succeeded" };
    expect(render(anEndedSearch({ end }))).toContain(
      "- It ended: no evaluation of the level succeeded\n- Nothing was taken\n",
    );
  });

  it("says that it is being stopped", () => {
    const stop = { why: "cancelled by ann", keep: true };
    expect(render(aSearch({ stop }))).toContain("- It ends: cancelled by ann\n");
  });

  it("takes the run of a pull request as the winner before the end is on record", () => {
    const { exploration, runs } = anEndedSearch({ state: "exploring", end: undefined });
    const view = { exploration, runs, task: TASK, taken: tried(7).id };
    const text = renderExploration(view, []);
    expect(text).toContain("- The winner is 7, score 14 (base 10): `bubble`");
    expect(text).not.toContain("It ended");
  });

  it("is one line for a check", () => {
    expect(renderWinner(anEndedSearch())).toBe(
      "Taken from an exploration: evaluation 7, score 14 (base 10): `bubble`.",
    );
    expect(renderWinner(aSearch())).toBe("");
    expect(renderWinner(aContest({ end: { why: "", winner: 1 } }))).toBe("");
  });
});

describe("the size of it", () => {
  const rowsOf = (text: string): readonly string[] => text.match(/^\| \d+ \|/gm) ?? [];

  it("is a picture of up to 120 evaluations, and a table of up to 60", () => {
    const most = render(aWideSearch(120));
    expect(most).toContain("n120");
    expect(rowsOf(most)).toHaveLength(60);
    const more = render(aWideSearch(121));
    expect(more).not.toContain("mermaid");
    expect(more).toContain("\n\nIts picture is left out: it would be too large here.\n\n");
    expect(rowsOf(render(aWideSearch(60)))).toHaveLength(60);
    expect(render(aWideSearch(60))).not.toContain("left out");
  });

  it("says how many are not listed, and lists those that tell the most", () => {
    const { exploration, runs } = aWideSearch(100);
    const failed = runs.map((run) => (run.contender > 70 ? run : tried(run.contender, FAILED)));
    const plan = { ...exploration.plan, retries: 0 };
    const text = render({ exploration: { ...exploration, plan }, runs: failed });
    expect(text).toContain(
      "60 of 100 evaluations are listed, first those that were promoted, then those at work, then the best; 40 are left out.",
    );
    const listed = rowsOf(text).map((row) => Number(/\d+/.exec(row)?.[0]));
    const good = Array.from({ length: 30 }, (_, at) => 71 + at);
    const first = Array.from({ length: 30 }, (_, at) => 1 + at);
    expect(listed).toEqual([...first, ...good]);
  });

  it("gets smaller where other texts need the room, and says so", () => {
    const exploring = aWideSearch(100);
    const beside = (length: number): string => render(exploring, ["x".repeat(length)]);
    expect(beside(50_000)).toContain("mermaid");
    expect(beside(58_000)).not.toContain("mermaid");
    expect(rowsOf(beside(58_000))).toHaveLength(60);
    expect(rowsOf(beside(62_000))).toHaveLength(15);
    expect(beside(64_300)).toContain("There is no room here for its 100 evaluations.");
    expect(beside(65_000)).toBe("");
  });

  it("stays within it whatever ideas are called", () => {
    const worst = aWideSearch(120, (at) => `${at}${"@".repeat(300)}|${"[skip ci]".repeat(50)}`);
    expect(render(worst).length).toBeLessThanOrEqual(40_000);
    expect(rowsOf(render(worst)).length).toBeGreaterThan(0);
  });
});

describe("several contenders", () => {
  it("have a line each, and neither levels nor a picture", () => {
    expect(render(aContest())).toMatchInlineSnapshot(`
      "**Contenders**

      - Contender 1, kept as \`refs/wavetrain/explore/12/1/1.1\`: changed 1 file, score 6
      - Contender 2, kept as \`refs/wavetrain/explore/12/1/1.2\`: the runner ended with exit code 3
      - Contender 3: running"
    `);
  });

  it("are told of one that was taken", () => {
    const over = aContest({ state: "ended", end: { why: "", winner: 1 } });
    expect(render(over)).toContain("- Contender 1, the winner: changed 1 file, score 6\n");
    const own = { ...over, task: TASK, taken: tried(1).id };
    expect(renderExploration(own, [])).toContain("- Contender 1, this one: changed 1 file");
  });

  it("say what was not begun, and what became of a base that moved", () => {
    const onto = shaOf(5);
    const end = { why: "", winner: 1, rebased: { onto, score: 5 } };
    const { exploration } = aContest({ state: "ended", end });
    const runs = [tried(1, scored(6)), tried(2, FAILED)];
    const text = render({
      exploration: { ...exploration, stop: { why: "over", keep: true } },
      runs,
    });
    expect(text).toContain("- Contender 3: not begun: over\n");
    expect(text).toMatch(
      /\nThe base moved meanwhile: put on 0{7} and scored again, 5 instead of 6$/,
    );
  });

  it("are counted where there are too many", () => {
    const ideas = Array.from({ length: 70 }, (_, at) => ({ name: String(at), text: "" }));
    const { exploration } = aContest();
    const plan = { ...exploration.plan, ideas };
    const levels = [levelAt(1, { parents: [0], after: 0, plan })];
    const text = render({ exploration: { ...exploration, plan, levels }, runs: [] });
    expect(text.match(/^- Contender/gm)).toHaveLength(60);
    expect(text).toContain("\n- 10 contenders more");
  });
});

it("names no run of an earlier attempt", () => {
  const { exploration, runs } = aSearch();
  const later = { ...exploration, attempt: 2, levels: exploration.levels.slice(0, 1) };
  const text = render({ exploration: later, runs });
  expect(text).toContain("Level 1: 0 of 3");
  expect(text).not.toContain("refs/wavetrain");
  const own = { ...tried(1, FAILED), attempt: 2, queuedAt: instant(NOW + 9) };
  expect(
    render({ exploration: { ...later, plan: { ...later.plan, retries: 0 } }, runs: [own] }),
  ).toContain("such as `refs/wavetrain/explore/12/1/2.1`");
});
