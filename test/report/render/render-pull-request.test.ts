import { describe, expect, it } from "vitest";
import { renderPullRequest } from "../../../src/report/render/render-pull-request.ts";
import type { PullRequestView } from "../../../src/report/render/render-pull-request.ts";
import { FAILED, aContest, aWideSearch, anEndedSearch, scored, tried } from "../explorations.ts";
import { aSpec, aTask, ORIGIN } from "../views.ts";

const view: PullRequestView = {
  task: aTask(),
  origin: ORIGIN,
  runner: "codex",
  attempt: 1,
  exploring: undefined,
  usage: [],
  files: ["src/session/store.ts", "src/session/store.test.ts"],
  outside: [],
  verify: { command: "npm test", verdict: "not-run" },
  notes: "Kept them in the store.\n\nLeft: expiry.",
};

describe("renderPullRequest", () => {
  it("says what it closes, what it touched, how it is verified and what the runner said", () => {
    expect(renderPullRequest(view).title).toBe("Keep sessions");
    expect(renderPullRequest(view).body).toMatchInlineSnapshot(`
      "<!-- wavetrain:pull-request -->
      Closes #12.

      **Scope**

      - Declared: \`src/session/**\`, read \`src/db.ts\`
      - Changed: 2 files, \`src/session/store.ts\`, \`src/session/store.test.ts\`

      **Verification**

      \`npm test\` runs on exactly what is about to land.

      **Notes of the run**

      \`\`\`text
      Kept them in the store.

      Left: expiry.
      \`\`\`

      Made by runner \`codex\`, attempt 1. Approve and it lands; request changes and a run works on them.

      Wavetrain-Task: acme/shop#12
      Wavetrain-Run: run-7
      Wavetrain-Base: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
      <!-- /wavetrain:pull-request -->
      "
    `);
  });

  it("points at files that were not declared", () => {
    const { body } = renderPullRequest({ ...view, outside: ["package.json"] });
    expect(body).toContain("- **Not declared, please look closely**: `package.json`");
  });

  it("says what the runs cost together, as far as their runners tell", () => {
    const told = { inputTokens: 1_234_000, outputTokens: 999, cachedTokens: 0, costUsd: 0.125 };
    const silent = { ...told, costUsd: undefined };
    const costs = (...usage: (typeof told | typeof silent)[]) =>
      /attempt 1\.(.*) Approve/.exec(renderPullRequest({ ...view, usage }).body)?.[1];
    expect(costs()).toBe("");
    expect(costs(silent)).toBe(" Cost of 1 run: 1,234,000 tokens read, 999 written.");
    expect(costs(told, told, silent)).toBe(
      " Cost of 3 runs: 0.25 USD, 3,702,000 tokens read, 2,997 written.",
    );
  });

  it("lists the contenders, each with where its work is and how it ended", () => {
    const { exploration } = aContest();
    const runs = [tried(1, scored(6)), tried(2, FAILED), tried(3, scored(14))];
    const origin = { ...ORIGIN, run: tried(3).id };
    const end = { why: "all have ended", winner: 3 };
    for (const known of [undefined, end]) {
      const exploring = { exploration: { ...exploration, end: known }, runs };
      expect(renderPullRequest({ ...view, origin, exploring }).body).toContain(
        [
          "**Contenders**\n",
          "- Contender 1, kept as `refs/wavetrain/explore/12/1/1.1`: changed 1 file, score 6",
          "- Contender 2, kept as `refs/wavetrain/explore/12/1/1.2`: the runner ended with exit code 3",
          "- Contender 3, this one: changed 1 file, score 14\n",
        ].join("\n"),
      );
    }
  });

  it("sums up the exploration that it was taken from, before the notes", () => {
    const { body } = renderPullRequest({ ...view, exploring: anEndedSearch() });
    const [before, after] = body.split("**Exploration**");
    expect(before).toContain("**Verification**");
    expect(after).toContain("- The winner is 7, score 14 (base 10): `bubble`\n");
    expect(after).toContain("```mermaid");
    expect(after).toContain("**Notes of the run**");
  });

  it("says so when nothing verifies it", () => {
    const { body } = renderPullRequest({ ...view, verify: undefined, notes: " " });
    expect(body).toContain("None is configured");
    expect(body).not.toContain("Notes of the run");
  });

  it("closes nothing but its own issue, whatever title and notes say", () => {
    const spec = aSpec({ title: "Fixes #1, closes other/repo#2" });
    const { title, body } = renderPullRequest({
      ...view,
      task: aTask({ spec }),
      notes: "Closes #3",
    });
    expect(title).not.toMatch(/#\d/);
    expect(body.split("```")[0]?.match(/closes #\d+/gi)).toEqual(["Closes #12"]);
  });

  it("stays within GitHub's limits", () => {
    const files = Array.from({ length: 5000 }, (_, i) => `src/${"x".repeat(150)}/${i}.ts`);
    const spec = aSpec({ title: "t".repeat(10_000) });
    const exploring = aWideSearch(1000, (at) => `${at} ${"<".repeat(500)}`);
    const task = aTask({ spec });
    const huge = { ...view, task, files, outside: files, notes: "n".repeat(1e6), exploring };
    const { title, body } = renderPullRequest(huge);
    expect(title.length).toBeLessThanOrEqual(256);
    expect(body.length).toBeLessThanOrEqual(65_536);
  });
});
