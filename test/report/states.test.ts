import { format, resolveConfig } from "prettier";
import { describe, expect, it } from "vitest";
import { renderStatus } from "../../src/cli/remote/status-command.ts";
import { explanation } from "../../src/commands/explain-command.ts";
import { getStatus } from "../../src/control/get-status.ts";
import type { Status } from "../../src/control/get-status.ts";
import type { ControlSource } from "../../src/control/route.ts";
import type { EntryState } from "../../src/domain/entry.ts";
import { describeOutcome } from "../../src/domain/failure.ts";
import { instant, taskId } from "../../src/domain/ids.ts";
import type { BlockedCode } from "../../src/domain/plan.ts";
import type { RunOutcome } from "../../src/domain/run.ts";
import { WHEREABOUTS, reasonOf } from "../../src/domain/story/reason-of.ts";
import type { Whereabouts } from "../../src/domain/story/reason-of.ts";
import type { TaskStory } from "../../src/domain/story/task-story.ts";
import { newTrain, wordStanding } from "../../src/domain/train.ts";
import type { HaltCause, Train } from "../../src/domain/train.ts";
import { explain } from "../../src/planner/explain.ts";
import { Waiting } from "../../src/planner/starts/obstacle.ts";
import type { BehindCode, Obstacle, WaitCode } from "../../src/planner/starts/obstacle.ts";
import { numberWaves } from "../../src/planner/waves/assign-waves.ts";
import { prepareBacklog } from "../../src/planner/waves/backlog.ts";
import { renderCheck } from "../../src/report/render/render-check.ts";
import { renderComment } from "../../src/report/render/render-comment.ts";
import { renderOutcome } from "../../src/report/render/render-outcome.ts";
import type { SchedulerSnapshot } from "../../src/scheduler/snapshot.ts";
import { buildTask } from "../planner/build-task.ts";
import { aConfig } from "../support/a-config.ts";
import { NOW, REPO, aRun, aTask, anEntry, shaOf } from "../support/builders.ts";
import { someLimits } from "../support/pool.ts";

const MINUTE_MS = 60_000;
const AGO = instant(NOW - 3 * MINUTE_MS);
const HEAD = shaOf(7);

const SUCCEEDED = { kind: "succeeded", head: HEAD, files: ["a"], outside: [], notes: "" } as const;
const ENDED = aRun({ runner: "codex", state: "finished", outcome: SUCCEEDED });
const AT_WORK = aRun({ runner: "codex", state: "running", startedAt: AGO });

function halted(cause: HaltCause, reason: string): Train {
  return { ...newTrain(REPO, "main", AGO), state: "halted", cause, reason };
}

const HALTS: Readonly<Record<HaltCause, Train>> = {
  "red-base": halted("red-base", "main itself fails at cb86071"),
  "integrity-breach": halted("integrity-breach", "cb86071 is not its parent plus 1f3a9c2"),
  permission: halted("permission", "GitHub does not let the app move main"),
};

const PAUSED: Train = {
  ...newTrain(REPO, "main", AGO),
  state: "paused",
  by: "ann",
  reason: "release",
};

function inTrain(state: EntryState, reason: string, train?: Train): TaskStory {
  const task = aTask({ state: "queued", pull: 14, reason: "approved by bob" });
  return { task, run: ENDED, entry: anEntry({ state, reason, pull: 14 }), train, position: 1 };
}

function at(members: Parameters<typeof aTask>[0], run?: TaskStory["run"]): TaskStory {
  return { task: aTask({ changedAt: AGO, ...members }), run, entry: undefined };
}

/** One story for each place where a task can be: a new one without a story does not compile. */
const STORIES: Readonly<Record<Whereabouts, TaskStory>> = {
  waiting: at({ state: "waiting", reason: "waits for #7: both may write src/auth/session.ts" }),
  blocked: at({ state: "blocked", reason: "dependency cycle: #1 → #2 → #1" }),
  starting: at(
    { state: "running", reason: "its claims and a slot are free" },
    aRun({ runner: "codex" }),
  ),
  running: at({ state: "running", reason: "its claims and a slot are free" }, AT_WORK),
  verifying: at(
    { state: "running", reason: "its claims and a slot are free" },
    { ...AT_WORK, agentEndedAt: AGO },
  ),
  review: at({ state: "review", pull: 14, reason: "#14 waits for a review" }, ENDED),
  rework: at(
    {
      state: "review",
      pull: 14,
      reason: "changes are requested on #14",
      rework: { kind: "review", answers: ["R_1"], feedback: [], seenAt: AGO },
    },
    ENDED,
  ),
  "train-queued": inTrain("queued", "approved by bob"),
  "train-verifying": inTrain("verifying", "verifying #14 on top of cb86071"),
  "train-verified": inTrain("verified", "verified on top of cb86071"),
  "train-landing": inTrain("landing", "landing on main"),
  "train-paused": inTrain("queued", "approved by bob", PAUSED),
  "train-halted": inTrain("queued", "approved by bob", HALTS["red-base"]),
  landed: at({ state: "landed", pull: 14, reason: "landed on main as 1f3a9c2" }, ENDED),
  failed: at({
    state: "failed",
    reason: "the verify command failed on the change; gave up after 3 attempts",
  }),
  cancelled: at({ state: "cancelled", reason: "cancelled by ann" }),
};

const behind = (code: BehindCode): Obstacle => ({
  kind: "behind",
  code,
  blocker: taskId("octo/app#7"),
});
const blocked = (code: BlockedCode, reason: string): Obstacle => ({
  kind: "blocked",
  code,
  reason,
});
const until = instant(NOW + MINUTE_MS);

const OBSTACLES: Readonly<Record<WaitCode, Obstacle>> = {
  conflict: behind("conflict"),
  dependency: behind("dependency"),
  "kept-out": behind("kept-out"),
  "plan-order": behind("plan-order"),
  reserved: behind("reserved"),
  "runs-alone": behind("runs-alone"),
  stopped: behind("stopped"),
  wave: behind("wave"),
  "no-slot": {
    kind: "no-slot",
    code: "no-slot",
    of: { kind: "runner", runner: "codex" },
    blocker: undefined,
  },
  "runner-unknown": { kind: "runner", code: "runner-unknown", runner: "codex" },
  "review-limit": { kind: "review-limit", code: "review-limit", limit: 20 },
  "runner-paused": {
    kind: "runner-paused",
    code: "runner-paused",
    runner: "codex",
    because: "its provider's limit",
    until,
  },
  budget: {
    kind: "held",
    code: "budget",
    reason: "the day's budget of $20 is spent: continues at 00:00 UTC",
    until,
  },
  finishing: {
    kind: "held",
    code: "finishing",
    reason: "waits: 9 runs are to be verified and pushed first, 2 at a time",
    until,
  },
  paused: { kind: "held", code: "paused", reason: "paused by ann: release", until: undefined },
  publishing: {
    kind: "held",
    code: "publishing",
    reason: "waits: finished changes have no pull request yet, GitHub takes no more for now",
    until,
  },
  "launch-delay": { kind: "pause", code: "launch-delay", until },
  "retry-delay": { kind: "pause", code: "retry-delay", until },
  "bad-claim": blocked("bad-claim", 'cannot use "/etc": an absolute path (line 6: "- /etc")'),
  "bad-task": blocked("bad-task", "the body is longer than 60,000 characters"),
  "dependency-cycle": blocked("dependency-cycle", "dependency cycle: #1 → #2 → #1"),
  "dependency-failed": blocked("dependency-failed", "depends on #8, which failed"),
  "dependency-not-planned": blocked(
    "dependency-not-planned",
    "depends on #8, which was closed as not planned",
  ),
  "dependency-unknown": blocked("dependency-unknown", "depends on #99, which does not exist"),
  "over-budget": blocked("over-budget", "its budget of $5 is spent"),
  untrusted: blocked("untrusted", "moved to Ready by eve, who has no write access"),
};

const OUTCOMES: Readonly<Record<RunOutcome["kind"], RunOutcome>> = {
  succeeded: SUCCEEDED,
  "no-changes": { kind: "no-changes", notes: "" },
  "out-of-scope": { kind: "out-of-scope", paths: ["README.md"] },
  "verify-failed": { kind: "verify-failed", tail: "1 failing" },
  failed: { kind: "failed", exitCode: 1, tail: "no such model" },
  "timed-out": { kind: "timed-out", afterMs: 60 * MINUTE_MS },
  stalled: { kind: "stalled", afterMs: 10 * MINUTE_MS },
  "disk-limit": { kind: "disk-limit", limitBytes: 10 * 1024 ** 3 },
  "provider-limited": { kind: "provider-limited", until },
  cancelled: { kind: "cancelled", reason: "cancelled by ann" },
  lost: { kind: "lost", reason: "the app stopped", interrupted: true },
};

async function statusOf({ task, run, entry, train }: TaskStory): Promise<string> {
  const memory = {
    tasks: [task],
    runs: run === undefined ? [] : [run],
    entries: entry === undefined ? [] : [entry],
    trains: train === undefined ? [] : [train],
  };
  const source = {
    operator: { slots: 4, store: {}, runners: {} },
    store: { readRepo: () => Promise.resolve(memory) },
    clock: { now: () => NOW },
    notices: { of: () => [], ofServer: () => [], about: () => [] },
    watched: () => [REPO],
    running: () => [],
    budgets: () => [],
    heldBack: () => [],
  } as unknown as ControlSource;
  const request = { query: new URLSearchParams(), signal: AbortSignal.abort() };
  const answer = await getStatus.answer(request, source);
  if (answer.kind !== "json") throw new Error("it sends no status");
  return renderStatus(answer.body as Status, 400);
}

function explainedAs(story: TaskStory): readonly string[] {
  const snapshot: SchedulerSnapshot = {
    context: { repo: REPO, base: "main", config: aConfig() },
    now: NOW,
    tasks: [story.task],
    fence: 1,
    runs: [],
    running: [],
    recent: [],
    holds: [],
    facts: new Map(),
    limits: someLimits(),
    availableMemory: Infinity,
    history: [],
    directories: undefined,
    wave: [],
    pulls: [],
    pause: undefined,
  };
  return explanation(story, snapshot, { forOperator: false }).lines;
}

const ALONE = { ...buildTask(1, { id: "octo/app#1" }) };

/** What the planner says of a task that this keeps from starting. */
function explainedWait(obstacle: Obstacle): readonly string[] {
  const rival = buildTask(7, { id: "octo/app#7", files: ["own/1.ts"] });
  const backlog = prepareBacklog([ALONE, rival], { slots: 2 });
  const waiting = new Waiting(ALONE, obstacle, { backlog, ends: new Map() });
  const numbered = numberWaves(backlog, [], () => undefined);
  const decision = { starts: [], waiting: [waiting], wave: [] };
  return explain(ALONE.id, { backlog, holding: [], decision, numbered });
}

const bySign = (text: string): string => text.replaceAll(/[\\`]/g, "");
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ").trim();
const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;

function table(head: readonly string[], rows: readonly string[]): string {
  return [row(...head), row(...head.map(() => "---")), ...rows].join("\n");
}

const named = <T extends string, V>(cases: Readonly<Record<T, V>>): readonly (readonly [T, V])[] =>
  (Object.keys(cases) as T[]).map((name) => [name, cases[name]] as const);

/** Only a change that has a pull request has a check run. */
function hasCheck({ task }: TaskStory): boolean {
  return task.state === "review" || task.state === "queued";
}

describe("where a task is", () => {
  it.each(named(STORIES))("%s is told on every surface", async (whereabouts, story) => {
    const { why } = reasonOf(story);
    expect(reasonOf(story).whereabouts).toBe(whereabouts);
    const status = await statusOf(story);
    expect(status).toContain(WHEREABOUTS[whereabouts].label);
    expect(status).toContain(why);
    const waits = whereabouts === "waiting" || whereabouts === "blocked";
    // What keeps a waiting task from starting is looked up when it is asked, see below.
    if (!waits) expect(explainedAs(story)[0]).toBe(`${WHEREABOUTS[whereabouts].label}: ${why}`);
    const comment = bySign(renderComment({ ...story, attemptLimit: 3 }));
    expect(comment).toContain(story.task.state === "running" ? "Started" : why);
    if (hasCheck(story)) expect(bySign(renderCheck(story).summary)).toContain(why);
  });

  it.each(named(OBSTACLES))("%s has words, and says what would change it", (code, obstacle) => {
    const lines = explainedWait(obstacle);
    expect(lines[0]?.length).toBeGreaterThan(10);
    expect(lines.at(-1)).toMatch(/^what would change that: .{5}/);
    expect(code).toBe(obstacle.code);
  });

  it.each(named(HALTS))("a train halted by %s says so to everyone in it", async (_, train) => {
    const story = { ...STORIES["train-halted"], train };
    const words = wordStanding(train);
    expect(await statusOf(story)).toContain(`! ${words}`);
    expect(explainedAs(story)[0]).toBe(`train halted: ${words}`);
    expect(bySign(renderComment({ ...story, attemptLimit: 3 }))).toContain(words);
    expect(bySign(renderCheck(story).summary)).toContain(words);
  });

  it("is in docs/states.md with the words of every surface", async () => {
    const options = await resolveConfig("docs/states.md");
    const formatted = await format(page(), { ...options, parser: "markdown" });
    await expect(formatted).toMatchFileSnapshot("../../docs/states.md");
  });
});

function page(): string {
  return `# States and reasons

Where a task is, and the words for it on every surface. This page is written by \`test/report/states.test.ts\`, from what the program says.

${stateTable()}

A comment and a check are edited only when it is worth a write ([api-cost.md](api-cost.md)); \`status\` and \`explain\` know at once. The title of the comment is the same for all
steps of a run. Only a change that has a pull request has a check.

## What a task waits for

${waitTable()}

## What halts a train

${table(
  ["cause", "words"],
  named(HALTS).map(([cause, train]) => row(`\`${cause}\``, wordStanding(train))),
)}

## How a run ends

${table(
  ["outcome", "in a task's reason", "in comments and checks"],
  named(OUTCOMES).map(([kind, outcome]) =>
    row(`\`${kind}\``, describeOutcome(outcome), renderOutcome(outcome)),
  ),
)}
`;
}

function stateTable(): string {
  const rows = named(STORIES).map(([whereabouts, story]) => {
    const { why, next } = reasonOf(story);
    const comment = /\*\*(.*)\*\*/.exec(renderComment({ ...story, attemptLimit: 3 }))?.[1] ?? "";
    const check = hasCheck(story) ? renderCheck(story).title : "–";
    const { label } = WHEREABOUTS[whereabouts];
    return row(`\`${whereabouts}\``, label, why, next === "" ? "–" : next, comment, check);
  });
  const head = [
    "whereabouts",
    "terminal, `status`, `explain`",
    "for example",
    "what makes it go on",
    "comment",
    "check",
  ];
  return table(head, rows);
}

function waitTable(): string {
  const rows = named(OBSTACLES).map(([code, obstacle]) => {
    const lines = explainedWait(obstacle);
    const hint = lines.at(-1)?.replace("what would change that: ", "") ?? "";
    return row(`\`${code}\``, lines[0] ?? "", hint);
  });
  return table(["code", "words", "what would change that"], rows);
}
