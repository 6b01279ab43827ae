import { format, resolveConfig } from "prettier";
import { describe, expect, it } from "vitest";
import { renderLine } from "../../src/cli/try/show.ts";
import { viewOf } from "../../src/cli/try/view.ts";
import { renderStatus } from "../../src/cli/remote/status-command.ts";
import { operatorConfigSchema } from "../../src/config/schema/operator-config.ts";
import { explanation } from "../../src/commands/explain-command.ts";
import { getStatus } from "../../src/control/get-status.ts";
import type { Status } from "../../src/control/get-status.ts";
import type { ControlSource } from "../../src/control/route.ts";
import { describeOutcome } from "../../src/domain/failure.ts";
import { WHEREABOUTS, reasonOf } from "../../src/domain/story/reason-of.ts";
import type { TaskStory } from "../../src/domain/story/task-story.ts";
import { wordStanding } from "../../src/domain/train.ts";
import { explain } from "../../src/planner/explain.ts";
import { Waiting } from "../../src/planner/starts/obstacle.ts";
import type { Obstacle } from "../../src/planner/starts/obstacle.ts";
import { numberWaves } from "../../src/planner/waves/assign-waves.ts";
import { prepareBacklog } from "../../src/planner/waves/backlog.ts";
import { renderCheck } from "../../src/report/render/render-check.ts";
import { renderComment } from "../../src/report/render/render-comment.ts";
import { renderOutcome } from "../../src/report/render/render-outcome.ts";
import type { SchedulerSnapshot } from "../../src/scheduler/snapshot.ts";
import { buildTask } from "../planner/build-task.ts";
import { aConfig } from "../support/a-config.ts";
import { NOW, REPO } from "../support/builders.ts";
import { someLimits } from "../support/pool.ts";
import { HALTS, OBSTACLES, OUTCOMES, STORIES } from "./cases.ts";

async function statusOf({ task, run, entry, train, exploring }: TaskStory): Promise<string> {
  const memory = {
    tasks: [task],
    runs: exploring?.runs ?? (run === undefined ? [] : [run]),
    explorations: exploring === undefined ? [] : [exploring.exploration],
    entries: entry === undefined ? [] : [entry],
    trains: train === undefined ? [] : [train],
  };
  const source = {
    operator: operatorConfigSchema.parse({ runners: { codex: { preset: "codex" } } }),
    store: {
      readRepo: () => Promise.resolve(memory),
      recentRuns: () => Promise.resolve([]),
      runnerLifts: () => Promise.resolve(new Map()),
    },
    host: { environment: {} },
    pool: { queues: () => new Map() },
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
    explorations: [],
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
    const moment = { elapsedMs: 0, now: NOW };
    const line = renderLine({ id: "a", title: "", view: viewOf(story) }, moment);
    expect(line).toContain(`${WHEREABOUTS[whereabouts].label} `);
    expect(line).toContain(why);
    const status = await statusOf(story);
    expect(status).toContain(WHEREABOUTS[whereabouts].label);
    expect(status).toContain(why);
    const waits = whereabouts === "waiting" || whereabouts === "blocked";
    // What keeps a waiting task from starting is looked up when it is asked, see below.
    if (!waits) expect(explainedAs(story)[0]).toBe(`${WHEREABOUTS[whereabouts].label}: ${why}`);
    const comment = bySign(renderComment({ ...story, attemptLimit: 3 }));
    const title = whereabouts === "exploring" ? "Exploring" : "Started";
    expect(comment).toContain(story.task.state === "running" ? title : why);
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
steps of a run. Only a change that has a pull request has a check. The comment of an exploration is edited when a level begins or it is over, and at most once a minute
in between; several contenders (\`candidates:3\`) are told as one run is.

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
