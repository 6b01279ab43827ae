import { describe, expect, it } from "vitest";
import { renderComment } from "../../../src/report/render/render-comment.ts";
import type { CommentView } from "../../../src/report/render/render-comment.ts";
import { FAILED, aContest, aSearch, aWideSearch, anEndedSearch, tried } from "../explorations.ts";
import { aRun, aSpec, aTask, anEntry, COMMIT, HEAD } from "../views.ts";

const render = (view: Partial<CommentView>) =>
  renderComment({ task: aTask(), run: undefined, entry: undefined, attemptLimit: 3, ...view });

describe("renderComment", () => {
  it("says what a task waits for and links the issue", () => {
    const reason = "waits for #7: both may write src/session/store.ts";
    expect(render({ task: aTask({ wave: 2, reason }) })).toMatchInlineSnapshot(`
      "<!-- wavetrain:task -->
      **Waiting** · wave 2

      > waits for #7: both may write src/session/store.ts

      - Files: \`src/session/**\`, read \`src/db.ts\`
      "
    `);
  });

  it.each([
    [{ exclusive: true }, "it is marked as exclusive"],
    [{ claims: [] }, "it declares no files"],
    [{ parallelSafe: false }, "it is not marked as parallel-safe"],
  ])("says why a task with %j runs alone", (over, why) => {
    expect(render({ task: aTask({ spec: aSpec(over) }) })).toContain(`- Runs alone: ${why}\n`);
  });

  it("quotes what is wrong with a blocked task and how to put it right", () => {
    const reason = `cannot use "/etc": an absolute path; paths start at the repository's root (line 6: "- /etc")`;
    expect(render({ task: aTask({ state: "blocked", reason }) })).toMatchInlineSnapshot(`
      "<!-- wavetrain:task -->
      **Blocked**

      > cannot use "/etc": an absolute path; paths start at the repository's root (line 6: "- /etc")

      Put right what it says; it is looked at again when that changes.
      "
    `);
  });

  it("shows a running attempt", () => {
    const task = aTask({
      state: "running",
      reason: "claims are free and a slot is open",
      attempts: 2,
    });
    expect(render({ task, run: aRun(undefined, 2) })).toMatchInlineSnapshot(`
      "<!-- wavetrain:task -->
      **Started**

      > claims are free and a slot is open

      - Attempt 2 of 3, runner \`codex\`

      Its pull request is linked when there is one; \`/explain\` says where it is meanwhile, and \`/cancel\` ends the run.
      "
    `);
  });

  it("shows why an attempt failed, with the end of the log", () => {
    const task = aTask({ reason: "tries again in 10 s" });
    const outcome = {
      kind: "verify-failed" as const,
      tail: "\u001b[31mnot ok 3\u001b[0m\n```\nghs_0123456789abcdef0123456789\n",
    };
    expect(render({ task, run: aRun(outcome) })).toMatchInlineSnapshot(`
      "<!-- wavetrain:task -->
      **Waiting**

      > tries again in 10 s

      - Attempt 1 of 3, runner \`codex\`: the verify command failed on the change

      <details><summary>End of the log</summary>

      \`\`\`\`text
      not ok 3
      \`\`\`
      [hidden]
      \`\`\`\`

      </details>
      "
    `);
  });

  it("links the pull request and says what to do with it", () => {
    const run = aRun({ kind: "succeeded", head: HEAD, files: ["a", "b"], outside: [], notes: "" });
    const task = aTask({ state: "review", pull: 31, reason: "waits for a review" });
    expect(render({ task, run })).toMatchInlineSnapshot(`
      "<!-- wavetrain:task -->
      **Waiting for review**

      > waits for a review

      - Attempt 1 of 3, runner \`codex\`: changed 2 files
      - Pull request: #31

      Approve the pull request and it lands; request changes and a run works on them.
      "
    `);
  });

  it("shows the train", () => {
    const task = aTask({ state: "queued", pull: 31, reason: "approved by ana" });
    expect(render({ task, entry: anEntry("verifying", "npm test is running") }))
      .toMatchInlineSnapshot(`
        "<!-- wavetrain:task -->
        **In the train**

        > npm test is running

        - Pull request: #31
        - Train of \`main\`: verifying

        Nothing has to be done; \`/cancel\` takes it out of the train.
        "
      `);
  });

  it("shows the landing and nothing that no longer matters", () => {
    const task = aTask({ state: "landed", pull: 31, reason: "seen on main", landedSha: COMMIT });
    const run = aRun({ kind: "succeeded", head: HEAD, files: ["a"], outside: [], notes: "" });
    expect(render({ task, run, entry: anEntry("landed", "landed") })).toMatchInlineSnapshot(`
      "<!-- wavetrain:task -->
      **Landed**

      > seen on main

      - Attempt 1 of 3, runner \`codex\`: changed 1 file
      - Pull request: #31
      - Landed as cccccccccccccccccccccccccccccccccccccccc on \`main\`
      "
    `);
  });

  it("says how to go on after giving up", () => {
    const task = aTask({ state: "failed", reason: "3 attempts failed" });
    const outcome = { kind: "failed" as const, exitCode: 1, tail: "" };
    expect(render({ task, run: aRun(outcome, 3) })).toMatchInlineSnapshot(`
      "<!-- wavetrain:task -->
      **Given up**

      > 3 attempts failed

      - Attempt 3 of 3, runner \`codex\`: the runner ended with exit code 1

      Say \`/retry\`, or move its card to Ready again.
      "
    `);
  });
});

describe("renderComment of an exploration", () => {
  const EXPLORES = aSpec({ explore: { ideas: { kind: "ask", count: 3 } } });
  const AT_WORK = aTask({
    state: "running",
    reason: "its claims and a slot are free",
    attempts: 1,
    spec: EXPLORES,
  });

  it("shows how far it is", () => {
    const text = render({ task: AT_WORK, run: tried(6), exploring: aSearch() });
    expect(text.split("\n```mermaid")[0]).toMatchInlineSnapshot(`
      "<!-- wavetrain:task -->
      **Exploring**

      > its claims and a slot are free

      - Attempt 1 of 3, runner \`shell\`

      **Exploration**

      - Begun from 0000000, which scores 10; higher is better (\`speed\`)
      - Expected: up to 9 evaluations, about 1 h 30 min of work and 4.50 USD
      - Level 1: 3 of 3, 1 failed, best 12.5, promoted 2, 3
      - Level 2: 1 of 6, 1 running, best 13
      "
    `);
    expect(text).toMatch(
      /<level>\/1\.<id>`, such as [^\n]+\n\n`\/explain` says how far it is; `\/cancel` stops it[^\n]+\n$/,
    );
  });

  it("says nothing of one that is to begin, whatever an earlier attempt tried", () => {
    const task = { ...AT_WORK, attempts: 2 };
    for (const exploring of [undefined, anEndedSearch()]) {
      const text = render({ task, run: { ...tried(0), attempt: 2 }, exploring });
      expect(text).toContain("**Exploring**");
      expect(text).not.toContain("**Exploration**");
    }
  });

  it("does not tell how one of its runs ended while others follow", () => {
    const text = render({ task: AT_WORK, run: tried(1, FAILED), exploring: aSearch() });
    expect(text).toContain("- Attempt 1 of 3, runner `shell`\n");
    expect(text).not.toContain("<details>");
  });

  it.each(["review", "queued", "landed", "failed", "blocked"] as const)(
    "keeps it when its task is %s",
    (state) => {
      const task = { ...AT_WORK, state };
      expect(render({ task, exploring: anEndedSearch() })).toContain("- The winner is 7");
    },
  );

  it("leaves out its picture where an answer needs the room, and stays within GitHub's limit", () => {
    const markdown = "x".repeat(56_000);
    const said = { said: "plan", givenBy: "ann", result: "done", at: AT_WORK.changedAt } as const;
    const answer = { last: { ...said, answer: { lines: [], markdown } }, refusal: undefined };
    const text = render({ task: AT_WORK, exploring: aWideSearch(120), answer });
    expect(text).toContain("Its picture is left out");
    expect(text.length).toBeLessThanOrEqual(65_536);
  });
});

describe("renderComment of several contenders", () => {
  const task = aTask({ state: "running", attempts: 1, spec: aSpec({ contenders: 3 }) });

  it("is that of one run while they are at work", () => {
    const text = render({ task, run: tried(3), exploring: aContest() });
    expect(text).toContain("**Started**");
    expect(text).toBe(render({ task, run: tried(3) }));
    expect(text).toContain("`/cancel` ends the run.");
  });

  it("tells how each did when one is taken", () => {
    const exploring = aContest({ state: "ended", end: { why: "", winner: 1 } });
    const text = render({ task: { ...task, state: "review", pull: 31 }, exploring });
    expect(text).toContain("\n\n**Contenders**\n\n- Contender 1, the winner: changed 1 file");
  });
});
