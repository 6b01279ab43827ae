import { describe, expect, it } from "vitest";
import { taskSpecFromIssue } from "../../src/board/issue/task-from-issue.ts";
import type { TaskSpec } from "../../src/domain/task.ts";
import { renderComment } from "../../src/report/render/render-comment.ts";
import { renderPrompt } from "../../src/runner/agent/prompt.ts";
import { aConfig } from "../support/a-config.ts";
import { anIssue, aTask, REPO } from "../support/builders.ts";
import fc from "../support/fast-check.ts";
import { READING_MS, withinLimit } from "../support/within-limit.ts";
import { hostileLabels, hostileLine, hostileText } from "./hostile-text.ts";
import { expectNothingAdded, expectPlainPrompt } from "./reports.ts";
import { shareOf } from "./share-of.ts";

const CONFIG = aConfig();

const issue = fc.tuple(hostileLine, hostileText, hostileLabels).map(([title, body, labels]) =>
  anIssue({
    number: 4711,
    title,
    body,
    labels: [...labels, "parallel-safe"],
    parent: { repo: REPO, number: 4710, labels, blockedBy: [] },
  }),
);

function promptOf(spec: TaskSpec): string {
  return renderPrompt({
    task: aTask({ spec }),
    attempt: 1,
    previous: undefined,
    feedback: [],
    verify: undefined,
    taskFile: "/input/task.md",
    template: undefined,
    note: undefined,
    goesOn: false,
    work: "none",
    resumed: false,
  });
}

/** Of a task that cannot be planned because of what its issue says, or that waits. */
function commentOf(spec: TaskSpec, said: (text: string) => string): string {
  const claims = spec.claims.map((claim) => ({ ...claim, pattern: said(claim.pattern) }));
  const state = spec.invalid === undefined ? "waiting" : "blocked";
  const reason = said(spec.invalid?.reason ?? "moved to Ready");
  const task = aTask({ issue: 4711, state, reason, wave: 1, spec: { ...spec, claims } });
  return renderComment({ task, run: undefined, entry: undefined, attemptLimit: 3 });
}

const LEAVES_THE_REPOSITORY = /^\/|(^|\/)\.\.(\/|$)|(^|\/)\.git(\/|$)|[\p{Cc}\p{Cf}\p{Cs}]/iu;

describe("an issue that anybody may have written", () => {
  it("is read in no time, adds nothing to what we say, and hides nothing from people", () => {
    fc.assert(
      fc.property(issue, (written) => {
        const { spec, prompt } = withinLimit(() => {
          const read = taskSpecFromIssue(written, CONFIG);
          return { spec: read, prompt: promptOf(read) };
        }, READING_MS);
        expectNothingAdded((said) => commentOf(spec, said));
        expectPlainPrompt(prompt);
        for (const { pattern } of spec.invalid === undefined ? spec.claims : []) {
          expect(pattern).not.toMatch(LEAVES_THE_REPOSITORY);
        }
      }),
      shareOf(0.4),
    );
  });
});
