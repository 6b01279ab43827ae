import { describe, expect, it } from "vitest";
import { renderPullRequest } from "../../../src/report/render/render-pull-request.ts";
import type { PullRequestView } from "../../../src/report/render/render-pull-request.ts";
import { aSpec, aTask, ORIGIN } from "../views.ts";

const view: PullRequestView = {
  task: aTask(),
  origin: ORIGIN,
  runner: "codex",
  attempt: 1,
  contenders: [],
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
    const huge = { ...view, task: aTask({ spec }), files, outside: files, notes: "n".repeat(1e6) };
    const { title, body } = renderPullRequest(huge);
    expect(title.length).toBeLessThanOrEqual(256);
    expect(body.length).toBeLessThanOrEqual(65_536);
  });
});
