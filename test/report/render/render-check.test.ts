import { describe, expect, it } from "vitest";
import type { EntryState, Evidence } from "../../../src/domain/entry.ts";
import { instant } from "../../../src/domain/ids.ts";
import type { TaskState } from "../../../src/domain/task.ts";
import { newTrain } from "../../../src/domain/train.ts";
import type { Train } from "../../../src/domain/train.ts";
import { renderCheck, findAnnotations } from "../../../src/report/render/render-check.ts";
import { aSearch, anEndedSearch } from "../explorations.ts";
import { aRun, aSpec, aTask, anEntry, BASE, COMMIT, REPO } from "../views.ts";

const evidence = (verdict: Evidence["verdict"], tail: string): Evidence => ({
  candidate: { base: BASE, method: "squash", steps: [], tree: COMMIT, commit: COMMIT },
  command: "npm test",
  verdict,
  tail,
  startedAt: instant(0),
  finishedAt: instant(1),
});

const FILES = ["src/a.ts", "src/b/c.py", "d.js"];
const places = (output: string): readonly string[] =>
  findAnnotations(output, FILES).map(({ path, line }) => `${path}:${line}`);

describe("renderCheck", () => {
  it.each<[TaskState, string, string]>([
    ["waiting", "queued", "Waiting for a run"],
    ["blocked", "failure", "Blocked"],
    ["running", "in-progress", "A run is at work"],
    ["review", "queued", "Waiting for review"],
    ["queued", "queued", "In the train"],
    ["landed", "success", "Landed"],
    ["failed", "failure", "Given up"],
    ["cancelled", "neutral", "Cancelled"],
  ])("a %s task shows as %s", (state, status, title) => {
    const check = renderCheck({
      task: aTask({ state }),
      run: state === "running" ? aRun(undefined) : undefined,
      entry: undefined,
    });
    expect(check).toMatchObject({ status, title });
  });

  it("says how far an exploration is, and what was taken from it", () => {
    const spec = aSpec({ explore: { ideas: { kind: "ask", count: 3 } } });
    const task = aTask({ state: "running", attempts: 1, spec });
    const check = (state: TaskState, exploring: ReturnType<typeof aSearch>) =>
      renderCheck({ task: { ...task, state }, run: undefined, entry: undefined, exploring });
    expect(check("running", aSearch())).toEqual({
      status: "in-progress",
      title: "Several runs are at work",
      summary: "> level 2 of 2: 1 of 6 evaluations have ended, best 13 (base 10)",
    });
    expect(check("review", anEndedSearch()).summary).toBe(
      "Taken from an exploration: evaluation 7, score 14 (base 10): `bubble`.",
    );
  });

  it.each<[EntryState, string, string]>([
    ["queued", "queued", "In the train, place 3"],
    ["verifying", "in-progress", "Being verified on the base branch"],
    ["verified", "success", "Verified on the base branch"],
    ["landing", "success", "Verified, landing"],
    ["rejected", "failure", "Sent back by the train"],
  ])("a change that is %s in the train shows as %s", (state, status, title) => {
    const task = aTask({ state: "queued", reason: "" });
    const check = renderCheck({ task, run: undefined, entry: anEntry(state), position: 3 });
    expect(check).toMatchObject({ status, title });
  });

  it("waits for a review again when it left the train: neutral would count as passed", () => {
    const task = aTask({ state: "review", reason: "#5 was made a draft" });
    const entry = anEntry("superseded", "#5 was made a draft");
    const check = renderCheck({ task, run: undefined, entry, position: undefined });
    expect(check).toMatchObject({ status: "queued", title: "Waiting for review" });
    expect(check.summary).toContain("was made a draft");
  });

  it("says why its train is halted, and what makes it go on", () => {
    const task = aTask({ state: "queued", reason: "approved by ana" });
    const entry = anEntry("queued", "approved by ana");
    const train: Train = {
      ...newTrain(REPO, "main", instant(0)),
      state: "halted",
      cause: "integrity-breach",
      reason: "the landed tree is not the verified one",
    };
    expect(renderCheck({ task, run: undefined, entry, position: 1, train })).toMatchObject({
      status: "queued",
      title: "The train is halted",
      summary:
        "> the train of main is halted: the landed tree is not the verified one; look at it, then say /resume",
    });
  });

  it("says that the train sent a change back while a new run is at work", () => {
    const task = aTask({ state: "running", reason: "" });
    const entry = anEntry("rejected", "conflicts with main");
    expect(renderCheck({ task, run: undefined, entry, position: undefined })).toMatchObject({
      status: "failure",
      title: "Sent back by the train",
    });
  });

  it("shows what was verified", () => {
    const entry = { ...anEntry("verified"), evidence: evidence("green", "") };
    const task = aTask({ state: "queued", reason: "approved by ana" });
    expect(renderCheck({ task, run: undefined, entry, position: undefined }).summary)
      .toMatchInlineSnapshot(`
        "> approved by ana

        Passed: \`npm test\` on cccccccccccc, which is \`main\` at bbbbbbbbbbbb with this change."
      `);
  });

  it("shows why it was sent back", () => {
    const entry = {
      ...anEntry("rejected", "the verification failed"),
      evidence: evidence("red", "1 failing"),
    };
    const task = aTask({ state: "review", reason: "the verification failed" });
    expect(renderCheck({ task, run: undefined, entry, position: undefined }).summary)
      .toMatchInlineSnapshot(`
        "> the verification failed

        Failed: \`npm test\` on cccccccccccc, which is \`main\` at bbbbbbbbbbbb with this change.

        \`\`\`text
        1 failing
        \`\`\`"
      `);
  });
});

describe("findAnnotations", () => {
  it.each([
    ["src/a.ts:12:5: error: no such name", "src/a.ts:12"],
    ["./src/a.ts(3,7): error TS2304: Cannot find name 'x'.", "src/a.ts:3"],
    ["    at go (/tmp/workspace/src/a.ts:7:1)", "src/a.ts:7"],
    ['  File "src/b/c.py", line 9, in <module>', "src/b/c.py:9"],
    ["\u001b[31md.js:4\u001b[0m broken", "d.js:4"],
  ])("reads %j", (output, place) => {
    expect(places(output)).toEqual([place]);
  });

  it.each(["src/other.ts:12", "xsrc/a.ts:12", "src/a.ts:0", "src/a.ts: failed", "12:30:05 d.js"])(
    "finds nothing in %j",
    (output) => {
      expect(places(output)).toEqual([]);
    },
  );

  it("says of each line the first thing, without secrets, and not too much", () => {
    const token = `ghp_${"a1".repeat(20)}`;
    const [first] = findAnnotations(`src/a.ts:1: got ${token}\nsrc/a.ts:1: again`, FILES);
    expect(first?.message).toBe("src/a.ts:1: got [hidden]");
    const many = Array.from({ length: 500 }, (_, n) => `d.js:${n + 1}: x`).join("\n");
    expect(findAnnotations(many, FILES)).toHaveLength(20);
  });
});
