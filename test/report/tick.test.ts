import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../../src/adapters/store/open-store.ts";
import type { Deps } from "../../src/deps.ts";
import type { Instant } from "../../src/domain/ids.ts";
import { Notices } from "../../src/notices.ts";
import type { CardUpdate } from "../../src/ports/github.ts";
import type { Store } from "../../src/ports/store.ts";
import { tick } from "../../src/report/tick.ts";
import { AppError } from "../../src/shared/app-error.ts";
import { aConfig } from "../support/a-config.ts";
import { NOW, REPO, aCard, aReading, aTask, anIssue } from "../support/builders.ts";
import { TestLog } from "../support/test-log.ts";

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
  readonly failures = new Map<string, AppError>();
  calls = 0;

  updateCards(_: unknown, __: unknown, { moves }: CardUpdate): Promise<void> {
    return this.#answer("cards", () => void this.moves.push(...moves.map(({ cardId }) => cardId)));
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

let folder: string;
let store: Store;
let github: Issues;
let log: TestLog;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "report-"));
  store = await openStore({ path: join(folder, "store"), now: () => NOW });
  github = new Issues();
  log = new TestLog();
  await store.record(
    REPO,
    BLOCKED.map((task) => ({ kind: "task-added", task })),
  );
});

afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

function report(): Promise<Instant | undefined> {
  const notices = new Notices(log);
  const clock = { now: () => NOW };
  return tick(CONTEXT, READING, { store, github, log, notices, clock } as unknown as Deps);
}

describe("tick", () => {
  it("comments on every task and moves its card, once", async () => {
    await report();
    expect([...github.comments.keys()]).toEqual([1, 2, 3]);
    expect(github.moves).toEqual(["card-1", "card-2", "card-3"]);
    const before = github.calls;
    await report();
    expect(github.calls).toBe(before);
  });

  it("waits for the budget of writes without failing, and goes on where it was", async () => {
    const reason = "waits for the budget of writes until 12:00 UTC";
    github.failures.set("comment 2", new AppError("github-rate-limited", reason));
    expect(await report()).toBe(NOW + 15_000);
    expect([...github.comments.keys()]).toEqual([1]);
    expect(log.lines).toMatchObject([{ fields: { notice: `what is to be reported ${reason}` } }]);
    github.failures.clear();
    expect(await report()).toBeUndefined();
    expect([...github.comments.keys()]).toEqual([1, 2, 3]);
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
    const task = BLOCKED[1]!.id;
    await store.record(REPO, [
      { kind: "task-explained", task, reason: "another reason", wave: undefined, at: NOW },
    ]);
    await report();
    expect(github.comments.get(2)).toHaveLength(1);
  });

  it("makes a new comment when a person deleted the old one", async () => {
    await report();
    github.comments.delete(2);
    github.failures.set("comment 2", REFUSED);
    const task = BLOCKED[1]!.id;
    const explain = (reason: string) =>
      store.record(REPO, [{ kind: "task-explained", task, reason, wave: undefined, at: NOW }]);
    await explain("a second reason");
    await report();
    github.failures.clear();
    await explain("a third reason");
    await report();
    expect(github.comments.get(2)?.[0]).toContain("a third reason");
  });

  it("goes on where it was when GitHub went away half-way", async () => {
    github.failures.set("comment 2", UNAVAILABLE);
    await expect(report()).rejects.toThrow(UNAVAILABLE);
    github.failures.clear();
    await report();
    expect([...github.comments.values()].map((bodies) => bodies.length)).toEqual([1, 1, 1]);
    expect(github.moves).toHaveLength(3);
  });

  it("comments although the cards cannot be moved", async () => {
    github.failures.set("cards", REFUSED);
    await report();
    expect([...github.comments.keys()]).toEqual([1, 2, 3]);
    const before = github.calls;
    await report();
    expect(github.calls).toBe(before);
  });
});
