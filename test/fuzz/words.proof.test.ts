import { describe, expect, it } from "vitest";
import { describeOutcome } from "../../src/domain/failure.ts";
import { taskId } from "../../src/domain/ids.ts";
import type { RunOutcome } from "../../src/domain/run.ts";
import { renderCheck } from "../../src/report/render/render-check.ts";
import { renderComment } from "../../src/report/render/render-comment.ts";
import { renderCommitMessage } from "../../src/report/render/render-commit-message.ts";
import { renderPlan } from "../../src/report/render/render-plan.ts";
import { renderPullRequest } from "../../src/report/render/render-pull-request.ts";
import { aSpec, aTask, anEntry, HEAD, ORIGIN, REPO } from "../report/views.ts";
import { anExploration, aPlan, aRun, NOW, shaOf, someEvidence } from "../support/builders.ts";
import { levelOn } from "../../src/domain/explore/next-step.ts";
import fc from "../support/fast-check.ts";
import { withinLimit } from "../support/within-limit.ts";
import { closedBy, effectsOf, effectsOfPlain, shownBy } from "./github-markdown.ts";
import { hostileLine, hostileText } from "./hostile-text.ts";
import { expectNothingAdded } from "./reports.ts";
import { shareOf } from "./share-of.ts";

type Said = (text: string) => string;

/** Every way for a run to end that carries words of an agent's. */
const OUTCOMES: readonly ((line: string, text: string) => RunOutcome)[] = [
  (line, notes) => ({ kind: "succeeded", head: HEAD, files: [line], outside: [line], notes }),
  (line) => ({ kind: "out-of-scope", paths: [line, line] }),
  (_, tail) => ({ kind: "verify-failed", tail }),
  (_, tail) => ({ kind: "failed", exitCode: 1, tail }),
  () => ({ kind: "stalled", afterMs: 5 }),
  () => ({ kind: "disk-limit", limitBytes: 5 }),
];

interface Words {
  readonly line: string;
  readonly other: string;
  readonly text: string;
  readonly outcome: (line: string, text: string) => RunOutcome;
}

const words: fc.Arbitrary<Words> = fc.record({
  line: hostileLine,
  other: hostileLine,
  text: hostileText,
  outcome: fc.constantFrom(...OUTCOMES),
});

function commentOf({ line, other, text, outcome }: Words, said: Said): string {
  const ended = outcome(said(line), said(text));
  const reason = said(describeOutcome(outcome(line, text)));
  const run = aRun({ runner: said(other), outcome: ended });
  const entry = {
    ...anEntry("rejected", said(describeOutcome(outcome(other, "")))),
    base: said(other),
  };
  const task = aTask({ state: "failed", reason, pull: 31, landedSha: shaOf(5) });
  return renderComment({ task, run, entry, attemptLimit: 3 });
}

function checkOf({ line, other, text, outcome }: Words, said: Said): string {
  const evidence = someEvidence({ command: said(line), verdict: "red", tail: said(text) });
  return renderCheck({
    task: aTask({ state: "review", reason: said(describeOutcome(outcome(other, ""))) }),
    run: aRun({ outcome: outcome(said(line), said(text)) }),
    entry: { ...anEntry("superseded"), evidence, base: said(other) },
    position: undefined,
  }).summary;
}

function pullRequestOf({ line, other, text, outcome }: Words, said: Said) {
  const spec = aSpec({ title: said(line), claims: [{ mode: "write", pattern: said(other) }] });
  const runs = [
    aRun({ id: ORIGIN.run, contender: 1, outcome: outcome(said(line), said(text)) }),
    aRun({ contender: 2, outcome: outcome(said(other), said(line)) }),
  ];
  const plan = aPlan({
    ideas: [line, other].map((name) => ({ name: said(name), text: said(text) })),
  });
  const root = [{ number: 0, commit: shaOf(1) }];
  const levels = [levelOn(root, plan, { depth: 1, after: 0, now: NOW })];
  const exploration = anExploration({
    task: aRun().task,
    plan,
    levels,
    end: { why: `it is strict, and evaluation 1 (${said(other)}) failed` },
  });
  return renderPullRequest({
    task: aTask({ spec }),
    origin: ORIGIN,
    exploring: { exploration, runs },
    runner: said(other),
    attempt: 1,
    usage: [],
    files: [said(line), said(other)],
    outside: [said(line)],
    notes: said(text),
    verify: { command: said(other), verdict: "green" },
  });
}

describe("words that an agent, a path, a branch or a program may bring", () => {
  it("add nothing to a comment or a check run", () => {
    fc.assert(
      fc.property(words, (brought) => {
        withinLimit(() => [commentOf(brought, (text) => text), checkOf(brought, (text) => text)]);
        expectNothingAdded((said) => commentOf(brought, said));
        expectNothingAdded((said) => checkOf(brought, said));
      }),
      shareOf(0.12),
    );
  });

  it("add nothing to a pull request, and close no issue", () => {
    fc.assert(
      fc.property(words, (brought) => {
        const { title, body } = withinLimit(() => pullRequestOf(brought, (text) => text));
        expectNothingAdded((said) => pullRequestOf(brought, said).body);
        expect(closedBy(shownBy(body))).toEqual(["#12"]);
        expect(effectsOfPlain(title === "Task #12" ? "" : title)).toEqual([]);
      }),
      shareOf(0.12),
    );
  });

  it("mention nobody, close nothing and forge no trailer in a commit", () => {
    fc.assert(
      fc.property(words, ({ line: title, text: notes }) => {
        const message = withinLimit(() =>
          renderCommitMessage({ title, notes, pull: 31, origin: ORIGIN }),
        );
        const effects = effectsOfPlain(message);
        const own = ["reference #31", "reference acme/shop#12"];
        expect(
          effects.filter((effect) => !own.includes(effect) && effect !== "control \t"),
        ).toEqual([]);
        expect(closedBy(message)).toEqual([]);
        expect(message.match(/\n(?:wavetrain-|co-authored-by|signed-off-by)/gi)).toHaveLength(3);
      }),
      shareOf(0.03),
    );
  });

  it("add nothing to a plan", () => {
    fc.assert(
      fc.property(hostileLine, hostileLine, (line, title) => {
        // An issue of our own is meant to be a reference.
        const id = taskId(/^#\d+$|^$/.test(line) ? "x" : line);
        const plan = {
          waves: [[id], [taskId("acme/shop#12")]],
          blocked: [
            {
              id,
              cause: {
                code: "bad-claim" as const,
                reason: describeOutcome({ kind: "out-of-scope", paths: [title] }),
              },
            },
          ],
        };
        const tasks = new Map([[id, { title, dependsOn: [id] }]]);
        const shown = withinLimit(() => renderPlan({ repo: REPO, plan, tasks }));
        const effects = effectsOf(shown).filter(
          (effect) => !["mark *", "item", "row of 5"].includes(effect),
        );
        expect(effects, shown).toEqual(["code block", "reference #12"]);
      }),
      shareOf(0.02),
    );
  });
});
