import { describe, expect, it } from "vitest";
import { taskId } from "../../src/domain/ids.ts";
import { markOwnPart } from "../../src/domain/markers.ts";
import type { RunOutcome } from "../../src/domain/run.ts";
import type { Exploring } from "../../src/domain/story/task-story.ts";
import { codeSpan, escapeMarkdown } from "../../src/report/render/escape-markdown.ts";
import { renderCheck } from "../../src/report/render/render-check.ts";
import { renderComment } from "../../src/report/render/render-comment.ts";
import { renderCommitMessage } from "../../src/report/render/render-commit-message.ts";
import { renderPlan } from "../../src/report/render/render-plan.ts";
import { renderPullRequest } from "../../src/report/render/render-pull-request.ts";
import type { PullRequestView } from "../../src/report/render/render-pull-request.ts";
import fc from "../support/fast-check.ts";
import { times } from "../support/proofs.ts";
import { aContest, aSearch, levelAt, planned, tried } from "./explorations.ts";
import { activeParts, closedIssues, withoutFences } from "./active-markdown.ts";
import { aRun, aSpec, aTask, anEntry, HEAD, ORIGIN, REPO } from "./views.ts";

const PIECES = [
  "@everyone",
  "@org/team",
  "a@b.co",
  "&#64;bob",
  "&commat;bob",
  "https://evil.example/x",
  "www.evil.example",
  "<img src=x onerror=1>",
  "<!--",
  "-->",
  "</details>",
  "<a href='//e'>",
  "[x](//e)",
  "![x](//e)",
  "[x]: //e",
  "`",
  "``",
  "```",
  "````",
  "```text",
  "~~~",
  "\n",
  "\r\n",
  "\n\n",
  "\\",
  "\\@bob",
  "| a |",
  "# H",
  "> q",
  "- [ ] x",
  "1. x",
  "---",
  "===",
  "***",
  "**b**",
  "__b__",
  "~~s~~",
  "$x$",
  "Closes #99",
  "fixes evil/repo#1",
  "GH-7",
  "#7",
  "\u202E",
  "\u200B",
  "\u0000",
  "\uD800",
  "\u2028",
  "😀",
  " ",
  "word",
  "src/a_b.ts",
  "Wavetrain-Task: x#1",
  '"',
  "'",
  ";",
  "%%{init}",
  "end",
  "]",
  ")",
  "-->|x|",
];

const words = fc
  .array(
    fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ unit: "binary" })),
    {
      maxLength: 25,
    },
  )
  .map((pieces) => pieces.join(""));

const RUNS = { numRuns: times({ test: 500, ci: 20_000, long: 200_000 }) };

/** Evaluations whose ideas, errors and ends say what others wrote, at work or over. */
function someSearches(text: string): readonly Exploring[] {
  const plan = planned([`a${text}`, `b${text}`, text], {
    retries: 0,
    score: { name: text, best: "low", run: text, files: [] },
  });
  const levels = [{ ...levelAt(1, { parents: [0], after: 0, plan }), promoted: [1] }];
  const good = { head: HEAD, files: [text], outside: [], notes: text, score: 3 };
  const runs = [
    tried(1, { kind: "succeeded", ...good }),
    tried(2, { kind: "stalled", afterMs: 1, why: text, tail: text }),
  ];
  const stop = { why: text, keep: true };
  const end = { why: text, winner: 1, rebased: { onto: HEAD, problem: text } };
  const over = { state: "ended", stop, end } as const;
  return [
    { exploration: aSearch({ plan, levels, stop }).exploration, runs },
    { exploration: aSearch({ plan, levels: [] }).exploration, runs: [] },
    { exploration: aSearch({ plan, levels, ...over }).exploration, runs },
    { exploration: aContest(over).exploration, runs },
  ];
}

/** Our own marks in these texts, which the second opinion is right to call active. */
function isOurs(part: string): boolean {
  return ["<!-- wavetra", "<details><su", "<summary>End", "</summary>", "</details>", "*"].some(
    (own) => part.startsWith(own),
  );
}

function aPullOf(text: string, exploring: Exploring | undefined): PullRequestView {
  return {
    task: aTask(),
    origin: ORIGIN,
    exploring,
    usage: [],
    runner: text,
    attempt: 1,
    files: [text],
    outside: [text],
    verify: { command: text, verdict: "green" },
    notes: text,
  };
}

/** The text between the marks of our part. */
function ownText(marked: string): string {
  return marked.split("\n").slice(1, -2).join("\n");
}

/** Each row has the cells of the head. */
function expectWholeTable(markdown: string): void {
  const rows = withoutFences(markdown)
    .split("\n")
    .filter((line) => line.startsWith("|"));
  const cells = rows.map((row) => row.replace(/\\[^]/g, "").split("|").length);
  expect(new Set(cells).size).toBeLessThanOrEqual(1);
}

/** Each line of it is one of ours, with one label at most. */
function expectWholePicture(markdown: string): void {
  const [, picture] = /\n```mermaid\n([^]*?)\n```\n/.exec(markdown) ?? [];
  const lines = picture?.split("\n").slice(1) ?? [];
  for (const line of lines)
    expect(line).toMatch(
      /^ {2}(?:classDef \w+ [\w: -]+|(?:n\d+ --> )?n\d+[[({/]{1,2}"[^"`{}[\]()|]*"[\])}/]{1,2}(?::::\w+)?)$/,
    );
}

function outcomes(text: string): readonly RunOutcome[] {
  return [
    { kind: "succeeded", head: HEAD, files: [text], outside: [text], notes: text },
    { kind: "out-of-scope", paths: [text, text] },
    { kind: "verify-failed", tail: text },
    { kind: "failed", exitCode: 1, tail: text },
    { kind: "cancelled", reason: text },
  ];
}

describe("hostile words", () => {
  it("do nothing when they are escaped, and are one line", () => {
    fc.assert(
      fc.property(words, (text) => {
        expect(activeParts(escapeMarkdown(text))).toEqual([]);
        expect(activeParts(codeSpan(text))).toEqual([]);
        expect(`${escapeMarkdown(text)}${codeSpan(text)}`).not.toMatch(/[\n\r\u2028]/);
        expect(escapeMarkdown(text)).not.toMatch(/^(?:[-+=#>|]|\d+[.)]|\s)/);
      }),
      RUNS,
    );
  });

  it("do nothing in a comment, and cannot swallow what we say", () => {
    fc.assert(
      fc.property(words, (text) => {
        for (const outcome of outcomes(text)) {
          const task = aTask({ state: "failed", reason: text, pull: 31 });
          const entry = { ...anEntry("rejected", text), base: text };
          const run = { ...aRun(outcome), runner: text };
          const comment = renderComment({ task, run, entry, attemptLimit: 3 });
          const active = activeParts(comment).filter((part) => !isOurs(part));
          expect(active).toEqual([]);
          expect(withoutFences(comment)).toMatch(
            /^<!-- wavetrain:task -->\n[^]*\nSay `\/retry`, or move[^\n]+\n$/,
          );
        }
      }),
      { ...RUNS, numRuns: RUNS.numRuns / 4 },
    );
  });

  it("do nothing in the difference of a text that nobody accepted", () => {
    fc.assert(
      fc.property(words, words, (before, text) => {
        const offered = { title: text, body: `${text}\n${text}` };
        const invalid = { code: "untrusted", reason: "its text changed, by eve" } as const;
        const spec = aSpec({ title: before, body: before, offered, invalid });
        const task = aTask({ state: "blocked", reason: invalid.reason, spec, disregarded: text });
        const comment = renderComment({
          task,
          run: undefined,
          entry: undefined,
          attemptLimit: 3,
        });
        expect(activeParts(comment).filter((part) => !isOurs(part))).toEqual([]);
        expect(withoutFences(comment)).toMatch(/\nSomeone with write access accepts[^\n]+\n$/);
      }),
      { ...RUNS, numRuns: RUNS.numRuns / 4 },
    );
  });

  it("close no issue and do nothing in a pull request", () => {
    fc.assert(
      fc.property(words, (text) => {
        const spec = aSpec({ title: text, claims: [{ mode: "write", pattern: text }] });
        const { title, body: marked } = renderPullRequest({
          ...aPullOf(text, undefined),
          task: aTask({ spec }),
        });
        const body = ownText(marked);
        expect(markOwnPart(body)).toBe(marked);
        expect(title).toMatch(/^[^\n]+$/);
        expect(title === "Task #12" ? "" : title).not.toMatch(/@\w|:\/\/|#\d/);
        expect(closedIssues(body)).toEqual(["#12"]);
        const active = activeParts(body).filter((part) => !isOurs(part) && part !== "shop#12");
        expect(active).toEqual([]);
        expect(withoutFences(body)).toMatch(/^Closes #12\.\n[^]*\nWavetrain-Base: b{40}$/);
      }),
      RUNS,
    );
  });

  it("do nothing in what is told of an exploration, and break neither its table nor its picture", () => {
    fc.assert(
      fc.property(words, (text) => {
        for (const exploring of someSearches(text)) {
          const spec = aSpec({ explore: { ideas: { kind: "ask", count: 3 } } });
          const task = aTask({ state: "running", reason: text, attempts: 1, spec });
          const story = { task, run: undefined, entry: undefined, exploring };
          const comment = renderComment({ ...story, attemptLimit: 3 });
          const body = ownText(renderPullRequest(aPullOf(text, exploring)).body);
          const checked = renderCheck({ ...story, task: { ...task, state: "review" } }).summary;
          expect(closedIssues(body)).toEqual(["#12"]);
          for (const told of [comment, body, checked]) {
            const active = activeParts(told).filter(
              (part) => !isOurs(part) && !part.startsWith("|") && part !== "shop#12",
            );
            expect(active).toEqual([]);
            expectWholeTable(told);
            expectWholePicture(told);
          }
        }
      }),
      { ...RUNS, numRuns: RUNS.numRuns / 4 },
    );
  });

  it("mention nobody and forge no trailer in a commit", () => {
    fc.assert(
      fc.property(words, words, (title, notes) => {
        const message = renderCommitMessage({ title, notes, pull: 31, origin: ORIGIN });
        expect(message.match(/\nwavetrain-\w+:/gi)).toHaveLength(3);
        expect(message.replace(/ \(#31\)\n| acme\/shop#12/g, "")).not.toMatch(/@\w|:\/\/|#\d/);
        expect(message).toMatch(
          /\n\nWavetrain-Task: acme\/shop#12\nWavetrain-Run: run-7\nWavetrain-Base: b{40}\n$/,
        );
      }),
      RUNS,
    );
  });

  it("do nothing in a check or a plan", () => {
    fc.assert(
      fc.property(words, (text) => {
        const id = taskId(text === "" ? "x" : text);
        const plan = {
          waves: [[id], [taskId("acme/shop#1")]],
          blocked: [{ id, cause: { code: "bad-claim" as const, reason: text } }],
        };
        const tasks = new Map([[id, { title: text, dependsOn: [id] }]]);
        const rendered = renderPlan({ repo: REPO, plan, tasks });
        const picture = rendered.split("\n```\n", 1)[0] ?? "";
        expect(picture.split("\n")).toHaveLength(8 + Number(picture.includes("t0 --> t0")));
        expect(picture.match(/"/g)).toHaveLength(8);
        const rows = withoutFences(rendered)
          .split("\n")
          .filter((line) => line.startsWith("|"));
        expect(rows.map((row) => row.replace(/\\[^]/g, "").split("|").length)).toEqual([
          6, 6, 6, 6,
        ]);
        const task = aTask({ state: "review", reason: text });
        const check = renderCheck({
          task,
          run: aRun({ kind: "verify-failed", tail: text }),
          entry: anEntry("superseded", text),
          position: undefined,
        });
        const active = [...activeParts(rendered), ...activeParts(check.summary)];
        const foreign = active.filter((part) => !isOurs(part) && !part.startsWith("|"));
        expect(foreign).toEqual([]);
      }),
      RUNS,
    );
  });
});
