import { describe, expect, it } from "vitest";
import { decideCommand } from "../../src/commands/decide-command.ts";
import type { CommandDecision } from "../../src/commands/decision.ts";
import { parseCommand } from "../../src/commands/parse-command.ts";
import type { Command } from "../../src/commands/parse-command.ts";
import { feedbackOf } from "../../src/feedback/read-rework.ts";
import { renderAnswer } from "../../src/report/render/render-answer.ts";
import { renderPrompt } from "../../src/runner/agent/prompt.ts";
import { wordRepoPause } from "../../src/scheduler/start-bans.ts";
import { aConfig } from "../support/a-config.ts";
import { aTask, NOW } from "../support/builders.ts";
import fc from "../support/fast-check.ts";
import { READING_MS, withinLimit } from "../support/within-limit.ts";
import { hostileLine, hostileText } from "./hostile-text.ts";
import { expectNothingAdded, expectPlainPrompt } from "./reports.ts";
import { shareOf } from "./share-of.ts";

const { labels } = aConfig();

function decisionOn(command: Command, by: string, trusted: boolean): CommandDecision {
  const pause = { by, reason: command.kind === "pause" ? command.reason : "", since: NOW };
  return decideCommand({
    now: NOW,
    command,
    by,
    trusted,
    issue: 4711,
    told: false,
    labels,
    runs: [],
    entry: undefined,
    card: undefined,
    labelled: undefined,
    pause,
    trains: [],
    task: aTask({ issue: 4711, state: "blocked", reason: wordRepoPause(pause) }),
    words: { lines: [wordRepoPause(pause)] },
  });
}

function answerTo(command: Command, by: string, said: (text: string) => string): string {
  const { answer, result } = decisionOn(command, by, true);
  const spoken = { said: command.kind, givenBy: by, result, at: NOW };
  return renderAnswer({
    last: { ...spoken, answer: { lines: answer.lines.map(said) } },
    refusal: undefined,
  });
}

function promptWith(by: string, body: string, remark: string): string {
  const comments = [{ path: "src/a.ts", line: 3, text: remark, at: NOW }];
  const review = { id: "R_1", by, automated: false, state: "changes-requested" } as const;
  return renderPrompt({
    task: aTask(),
    attempt: 2,
    previous: undefined,
    verify: undefined,
    feedback: [feedbackOf({ ...review, body, at: NOW, comments })],
    taskFile: "/input/task.md",
    template: undefined,
    note: undefined,
    goesOn: true,
    work: "none",
    resumed: false,
  });
}

/** Lines that stand in no block of code: they are ours. */
function linesOutsideCode(prompt: string): number {
  let [fence, lines] = ["", 0];
  for (const line of prompt.split("\n")) {
    const mark = /^(`{3,})(?:text)?$/.exec(line)?.[1] ?? "";
    if (fence === "" && mark === "") lines += 1;
    else if (fence === "") fence = mark;
    else if (mark.startsWith(fence) && line === mark) fence = "";
  }
  return lines;
}

const OURS = linesOutsideCode(promptWith("ann", "word", "word"));
const OURS_WITH_GAP_NOTE = OURS + 2;

/** GitHub gives no other names. */
const login = fc.constantFrom("ann", "a-b-1", "dependabot[bot]", "ghost");

describe("a comment that anybody may have written", () => {
  it("gives at most one of our commands, and its answer says nothing but what we say", () => {
    fc.assert(
      fc.property(hostileText, login, fc.boolean(), (text, by, asCommand) => {
        const comment = asCommand ? `/pause ${text}` : text;
        const command = withinLimit(() => parseCommand(comment), READING_MS);
        if (command === undefined) return;
        expectNothingAdded((said) => answerTo(command, by, said));
        const stranger = decisionOn(command, by, false);
        expect([stranger.changes, stranger.effects]).toEqual([[], []]);
      }),
      shareOf(0.15),
    );
  });

  it("stays in its place when it is told to a runner", () => {
    fc.assert(
      fc.property(hostileLine, hostileText, hostileLine, (by, body, remark) => {
        const prompt = withinLimit(() => promptWith(by, body, remark), READING_MS);
        expectPlainPrompt(prompt);
        expect([OURS, OURS_WITH_GAP_NOTE]).toContain(linesOutsideCode(prompt));
      }),
      shareOf(0.1),
    );
  });

  it("tells a runner nothing that a reader of the page does not see", () => {
    const shown = fc.constantFrom(
      "shown ",
      "`code` ",
      "\n",
      "**bold** ",
      "- item\n",
      "é😀 ",
      "@bob ",
    );
    const hidden = fc.constantFrom(
      "<!-- SECRET -->",
      "\n<!--SECRET\n\nSECRET-->\n",
      "<!---SECRET-->",
      Array.from("SECRET", (one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0))).join(""),
      "\u202E\u2066\u200B\u200D\u2060\uFEFF\u00AD",
      '<span title="SECRET">',
      "\n\n[//]: # (SECRET)\n",
      '\n\n[x]: /a "SECRET"\n',
    );
    const text = fc
      .tuple(
        fc.array(fc.oneof(shown, hidden), { maxLength: 12 }),
        fc.constantFrom("", "\n<!-- SECRET"),
      )
      .map(([parts, end]) => `${parts.join("")}${end}`);
    fc.assert(
      fc.property(text, (body) => {
        const prompt = withinLimit(() => promptWith("ann", body, body));
        expect(prompt).not.toContain("SECRET");
        expectPlainPrompt(prompt);
      }),
      shareOf(0.05),
    );
  });
});
