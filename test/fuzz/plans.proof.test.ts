import { describe, expect, it } from "vitest";
import { taskSpecFromIssue } from "../../src/board/issue/task-from-issue.ts";
import { explanation, planWords } from "../../src/commands/explain-command.ts";
import type { CommandAnswer } from "../../src/domain/given-command.ts";
import type { Task, TaskSpec } from "../../src/domain/task.ts";
import { renderAnswer } from "../../src/report/render/render-answer.ts";
import type { SchedulerSnapshot } from "../../src/scheduler/snapshot.ts";
import { aConfig } from "../support/a-config.ts";
import { aHold, anIssue, aRun, aSpec, aTask, NOW, REPO } from "../support/builders.ts";
import fc from "../support/fast-check.ts";
import { someLimits } from "../support/pool.ts";
import { withinLimit } from "../support/within-limit.ts";
import { effectsOf } from "./github-markdown.ts";
import { declaringText, hostileLabels, hostileLine } from "./hostile-text.ts";
import { expectNothingAdded } from "./reports.ts";
import { shareOf } from "./share-of.ts";

const CONFIG = aConfig();
const RIVAL = aTask({
  issue: 4712,
  state: "running",
  spec: aSpec({ claims: [{ mode: "write", pattern: "src/**" }] }),
});

/** A task beside one that is at work on everything below `src`. */
function snapshotOf(task: Task, pausedFor: string): SchedulerSnapshot {
  const run = aRun({ task: RIVAL.id, state: "running" });
  return {
    context: { repo: REPO, base: "main", config: CONFIG },
    now: NOW,
    tasks: [RIVAL, task],
    fence: 1,
    runs: [run],
    explorations: [],
    running: [run],
    recent: [],
    holds: [aHold({ task: RIVAL.id, run: run.id, claims: RIVAL.spec.claims })],
    facts: new Map(),
    limits: someLimits(),
    availableMemory: Infinity,
    history: [],
    directories: undefined,
    wave: [],
    pulls: [],
    pause: pausedFor === "" ? undefined : { by: "ann", reason: pausedFor, since: NOW },
  };
}

/** Issues that our own sentences may name: the rival, and what the task depends on. */
function namedBy({ invalid, dependsOn }: TaskSpec): ReadonlySet<string> {
  const needed = invalid === undefined ? dependsOn : [];
  const numbers = [...needed, RIVAL.id].flatMap((id) =>
    id.startsWith(`${REPO}#`) ? [id.slice(REPO.length)] : [],
  );
  return new Set(numbers.map((number) => `reference ${number}`));
}

function answerOf({ lines }: CommandAnswer, said: (text: string) => string): string {
  const spoken = { said: "explain", givenBy: "ann", result: "done", at: NOW } as const;
  return renderAnswer({
    last: { ...spoken, answer: { lines: lines.map(said) } },
    refusal: undefined,
  });
}

const PICTURE_LINE =
  /^(?:flowchart LR| {2}subgraph w\d+ \["Wave \d+"\]| {4}t\d+\["(?:[^"'`<>#;&%{}[\]()|\\\p{Cc}\p{Cf}]|#\d+;)*"\]| {2}end| {2}t\d+ --> t\d+)$/u;

/** A picture of ours, one row a task and one line for each that cannot be planned; nothing else. */
function expectPlanIsOurs({ markdown = "" }: CommandAnswer, ours: ReadonlySet<string>): void {
  const picture = /^```mermaid\n([^]*?)\n```$/m.exec(markdown)?.[1] ?? "flowchart LR";
  for (const line of picture.split("\n")) expect(line).toMatch(PICTURE_LINE);
  const allowed = ["code block", "row of 5", "item", "mark *", "reference #4711"];
  const effects = effectsOf(markdown).filter((effect) => !allowed.includes(effect));
  expect(
    effects.filter((effect) => !ours.has(effect)),
    markdown,
  ).toEqual([]);
}

describe("an issue that declares what anybody may have written", () => {
  it("is planned and explained in no time, and adds nothing to the plan and the explanation", () => {
    const written = fc.tuple(hostileLine, declaringText, hostileLabels, hostileLine);
    fc.assert(
      fc.property(written, fc.boolean(), ([title, body, labels, reason], paused) => {
        const issue = anIssue({
          number: 4711,
          title,
          body,
          labels: [...labels, "parallel-safe"],
        });
        const spec = taskSpecFromIssue(issue, CONFIG);
        const task = aTask({ issue: 4711, spec });
        const snapshot = snapshotOf(task, paused ? reason : "");
        const explained = withinLimit(() =>
          explanation({ task, run: undefined, entry: undefined }, snapshot, { forOperator: false }),
        );
        const ours = namedBy(spec);
        expectNothingAdded((said) => answerOf(explained, said), ours);
        expectPlanIsOurs(
          withinLimit(() => planWords(snapshot)),
          ours,
        );
      }),
      shareOf(0.03),
    );
  });
});
