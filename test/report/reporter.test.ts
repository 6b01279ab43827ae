import { beforeEach, describe, expect, it } from "vitest";
import { createLostStore } from "../../src/app/lost-store.ts";
import { createNotices } from "../../src/app/notices.ts";
import { runId, taskIdOf } from "../../src/domain/ids.ts";
import type { Instant, TaskId } from "../../src/domain/ids.ts";
import type { TaskState } from "../../src/domain/task.ts";
import { newTrain } from "../../src/domain/train.ts";
import type { Deps } from "../../src/ports/deps.ts";
import type { CardUpdate, CheckReport } from "../../src/ports/github.ts";
import { Reporter } from "../../src/report/reporter.ts";
import { AppError } from "../../src/shared/app-error.ts";
import { createKeyedQueue } from "../../src/shared/keyed-queue.ts";
import { aConfig } from "../support/a-config.ts";
import {
  NOW,
  REPO,
  aCard,
  aReading,
  aRun,
  aSpec,
  aTask,
  anIssue,
  shaOf,
} from "../support/builders.ts";
import { TestClock } from "../support/test-clock.ts";
import { TestLog } from "../support/test-log.ts";
import { useStore } from "../support/use-store.ts";
import { aContest, aSearch, levelAt, planned, scored } from "./explorations.ts";

const MINUTE_MS = 60_000;
const CONTEXT = { repo: REPO, base: "main", config: aConfig() };
const BLOCKED = [1, 2, 3].map((issue) => aTask({ issue, state: "blocked", reason: "because" }));
const READING = aReading({
  board: {
    cards: BLOCKED.map(({ issue }) => aCard({ issue: anIssue({ number: issue }) })),
    missingRoles: [],
  },
});

const REFUSED = new AppError("github-refused", "locked");
const UNAVAILABLE = new AppError("github-unavailable", "down", { retryable: true });

/** The comments and cards of a GitHub that refuses what it is told to. */
class Issues {
  readonly comments = new Map<number, string[]>();
  readonly moves: string[] = [];
  readonly checks: string[] = [];
  readonly failures = new Map<string, AppError>();
  calls = 0;

  updateCards(_: unknown, __: unknown, { moves }: CardUpdate): Promise<void> {
    return this.#answer("cards", () => void this.moves.push(...moves.map(({ cardId }) => cardId)));
  }

  createCheck({ title }: CheckReport): Promise<string> {
    return this.#answer("check", () => String(this.checks.push(title)));
  }

  findCheck(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  findComment(_: unknown, issue: number): Promise<string | undefined> {
    return this.#answer(`find ${issue}`, () =>
      this.comments.has(issue) ? String(issue) : undefined,
    );
  }

  createComment(_: unknown, issue: number, body: string): Promise<string> {
    return this.#answer(`comment ${issue}`, () => {
      this.comments.set(issue, [...(this.comments.get(issue) ?? []), body]);
      return String(issue);
    });
  }

  updateComment(_: unknown, id: string, body: string): Promise<void> {
    return this.#answer(`comment ${id}`, () => void this.comments.set(Number(id), [body]));
  }

  #answer<T>(call: string, act: () => T): Promise<T> {
    this.calls += 1;
    const failure = this.failures.get(call);
    return failure === undefined ? Promise.resolve(act()) : Promise.reject(failure);
  }
}

let clock = new TestClock();
const store = useStore(() => clock.now());
let github: Issues;
let log: TestLog;
let reporter: Reporter;

beforeEach(async () => {
  clock = new TestClock();
  github = new Issues();
  log = new TestLog();
  reporter = newReporter();
  await store().record(
    REPO,
    BLOCKED.map((task) => ({ kind: "task-added", task })),
  );
});

/** One that remembers nothing but what is in the store. */
function newReporter(): Reporter {
  const publishing = createKeyedQueue();
  const operator = { store: {} };
  const lostStore = createLostStore({ store: store(), notices: createNotices(log), log });
  const deps = { store: store(), github, log, clock, operator, publishing, lostStore };
  return new Reporter(deps as unknown as Deps, () => Promise.resolve());
}

/** Ticks of the report's lane, until nothing more is due at once. */
async function report(): Promise<Instant | undefined> {
  for (;;) {
    const again = await tickOnce();
    if (again === undefined || again > clock.now()) return again;
  }
}

async function tickOnce(): Promise<Instant | undefined> {
  const objectives = { found: undefined, untrusted: new Set<TaskId>() };
  const stored = await store().readRepo(REPO);
  return reporter.report({ context: CONTEXT, reading: READING, objectives, stored });
}

function move(issue: number, from: TaskState, to: TaskState): Promise<void> {
  const task = taskIdOf(REPO, issue);
  const at = clock.now();
  return store().record(REPO, [
    { kind: "task-moved", task, from, to, reason: `is ${to}`, at, set: {} },
  ]);
}

/** The first task is at work on its first attempt, by several runs. */
async function begin(members: Parameters<typeof aSpec>[0]): Promise<void> {
  const task = taskIdOf(REPO, 1);
  const moved = { kind: "task-moved", task, from: "blocked", to: "running" } as const;
  const spec = aSpec(members);
  await store().record(REPO, [
    { kind: "task-respecified", task, spec, specHash: "2", at: clock.now() },
    { ...moved, reason: "a slot is free", at: clock.now(), set: { attempts: 1 } },
  ]);
}

function explain(issue: number, reason: string): Promise<void> {
  const task = taskIdOf(REPO, issue);
  return store().record(REPO, [
    { kind: "task-explained", task, reason, wave: undefined, at: clock.now() },
  ]);
}

describe("Reporter", () => {
  it("comments on every blocked task and moves its card, once", async () => {
    await report();
    expect([...github.comments.keys()]).toEqual([1, 2, 3]);
    expect(github.moves).toEqual(["card-1", "card-2", "card-3"]);
    const before = github.calls;
    await report();
    reporter = newReporter();
    await report();
    expect(github.calls).toBe(before);
  });

  it("says once that the base is red, also where its former name halted there, too", async () => {
    const red = { state: "halted", cause: "red-base", haltedAt: shaOf(7) } as const;
    const halted = (base: string) => ({ ...newTrain(REPO, base, NOW), ...red, reason: base });
    const trains = ["master", "main"].map(halted);
    await store().record(
      REPO,
      trains.map((train) => ({ kind: "train-added", train })),
    );
    await report();
    expect(github.checks).toEqual(["main itself fails"]);
  });

  it("goes on with all but the comments while the budget of writes has no room for them, and says what is held back", async () => {
    github.failures.set("comment 2", new AppError("github-rate-limited", "no room"));
    expect(await report()).toBe(NOW + 2_000);
    expect([github.moves.length, [...github.comments.keys()]]).toEqual([3, [1]]);
    expect(reporter.heldBack(REPO)).toEqual([{ kind: "comment", count: 2, oldestAt: NOW }]);
    expect(log.seen).toEqual([]);
    github.failures.clear();
    await clock.advance(2_000);
    expect(await report()).toBeUndefined();
    expect([...github.comments.keys()]).toEqual([1, 2, 3]);
    expect(reporter.heldBack(REPO)).toEqual([]);
  });

  it("says nothing at all for as long as GitHub asks to be left alone", async () => {
    const retryAfterMs = 60_000;
    github.failures.set(
      "cards",
      new AppError("github-rate-limited", "slow down", { retryAfterMs }),
    );
    expect(await report()).toBe(NOW + retryAfterMs);
    const before = github.calls;
    await clock.advance(59_999);
    await report();
    expect(github.calls).toBe(before);
    github.failures.clear();
    await clock.advance(1);
    await report();
    expect([github.moves.length, github.comments.size]).toEqual([3, 3]);
  });

  it("moves cards while every comment is refused for ten minutes, and catches up", async () => {
    for (const issue of [1, 2, 3]) github.failures.set(`comment ${issue}`, UNAVAILABLE);
    await report();
    const states = ["blocked", "running", "review", "queued", "landed"] as const;
    for (const [at, to] of states.entries()) {
      const from = states[at - 1];
      if (from !== undefined) await move(1, from, to);
      await clock.advance(2 * MINUTE_MS);
      await report();
    }
    expect(github.moves.filter((card) => card === "card-1")).toHaveLength(states.length);
    expect(github.comments.size).toBe(0);
    github.failures.clear();
    await clock.advance(60_000);
    await report();
    expect([...github.comments.keys()].toSorted()).toEqual([1, 2, 3]);
  });

  it("says the newest alone, whatever came up while it could not be said", async () => {
    github.failures.set("comment 2", UNAVAILABLE);
    await report();
    await explain(2, "a second reason");
    await report();
    await explain(2, "a third reason");
    github.failures.clear();
    await clock.advance(60_000);
    const before = github.calls;
    await report();
    expect(github.comments.get(2)).toHaveLength(1);
    expect(github.comments.get(2)?.[0]).toContain("a third reason");
    // It may have been made by the call that failed: it is looked for first.
    expect(github.calls - before).toBe(2);
  });

  it("says why a card waits when it has waited for a while, and not with every new reason", async () => {
    await report();
    await move(1, "blocked", "waiting");
    await report();
    expect(github.comments.get(1)?.[0]).toContain("Blocked");
    await clock.advance(10 * MINUTE_MS);
    await report();
    expect(github.comments.get(1)?.[0]).toContain("is waiting");
    await explain(1, "no slot is free");
    await clock.advance(9 * MINUTE_MS);
    await report();
    expect(github.comments.get(1)?.[0]).toContain("is waiting");
    await clock.advance(MINUTE_MS);
    await report();
    expect(github.comments.get(1)?.[0]).toContain("no slot is free");
  });

  it("tells the other issues when one of them is locked, and asks that one no more", async () => {
    github.failures.set("comment 2", REFUSED);
    await report();
    expect([...github.comments.keys()]).toEqual([1, 3]);
    const before = github.calls;
    await report();
    expect(github.calls).toBe(before);
    expect(log.seen).toEqual(["report refused"]);
  });

  it("comments again when there is something new to say on an issue that is unlocked", async () => {
    github.failures.set("comment 2", REFUSED);
    await report();
    github.failures.clear();
    await explain(2, "another reason");
    await report();
    expect(github.comments.get(2)).toHaveLength(1);
  });

  it("makes a new comment when a person deleted the old one", async () => {
    await report();
    github.comments.delete(2);
    github.failures.set("comment 2", REFUSED);
    await explain(2, "a second reason");
    await report();
    github.failures.clear();
    await explain(2, "a third reason");
    await report();
    expect(github.comments.get(2)?.[0]).toContain("a third reason");
  });

  it("comments although the cards cannot be moved", async () => {
    github.failures.set("cards", REFUSED);
    await report();
    expect([...github.comments.keys()]).toEqual([1, 2, 3]);
    const before = github.calls;
    await report();
    expect(github.calls).toBe(before);
  });

  it("tells of an exploration when it is opened and when it is over, and once a minute in between", async () => {
    await begin({ explore: { ideas: { kind: "ask", count: 3 } } });
    const { exploration, runs } = aSearch({ plan: planned(["a", "b"]) });
    const level = levelAt(1, { parents: [0], after: 0, plan: exploration.plan });
    const opened = { ...exploration, changedAt: clock.now(), levels: [level] };
    await store().record(REPO, [{ kind: "exploration-opened", exploration: opened }]);
    const said = async (): Promise<string> => {
      await report();
      return github.comments.get(1)?.[0] ?? "";
    };
    expect(await said()).toContain("Level 1: 0 of 2");

    const one = runs[0] ?? aRun();
    const begun = { ...one, id: runId("e1"), contender: 1, state: "queued" } as const;
    await store().record(REPO, [
      { kind: "run-queued", run: { ...begun, outcome: undefined } },
      { kind: "run-finished", run: begun.id, outcome: scored(12), at: clock.now() },
    ]);
    await clock.advance(MINUTE_MS - 1);
    expect(await said()).toContain("Level 1: 0 of 2");
    await clock.advance(1);
    expect(await said()).toContain("Level 1: 1 of 2, best 12");

    const end = { why: "its budget of $20 is spent", winner: 1 };
    const { id, changedAt: unchangedSince } = opened;
    const moved = { kind: "exploration-moved", exploration: id, from: "exploring" } as const;
    await store().record(REPO, [
      { ...moved, to: "ended", unchangedSince, at: clock.now(), set: { end } },
    ]);
    await move(1, "running", "review");
    expect(await said()).toContain("- The winner is 1, score 12 (base 10): `a`");
  });

  it("writes nothing while several contenders begin and end", async () => {
    await begin({ contenders: 3 });
    await store().record(REPO, [{ kind: "run-queued", run: aRun({ contender: 0 }) }]);
    await report();
    const { exploration } = aContest({ changedAt: clock.now() });
    await store().record(REPO, [{ kind: "exploration-opened", exploration }]);
    const before = github.calls;
    for (const contender of [1, 2, 3]) {
      const run = aRun({ id: runId(`c${contender}`), contender });
      await store().record(REPO, [{ kind: "run-queued", run }]);
      await report();
      await store().record(REPO, [
        { kind: "run-finished", run: run.id, outcome: scored(contender), at: clock.now() },
      ]);
      await clock.advance(2 * MINUTE_MS);
      await report();
    }
    expect(github.calls).toBe(before);
  });
});
