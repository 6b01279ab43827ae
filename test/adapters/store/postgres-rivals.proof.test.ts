import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { replay } from "../../../src/adapters/store/events/replay.ts";
import { openStore } from "../../../src/adapters/store/open-store.ts";
import { brokenLink } from "../../../src/adapters/store/rows/event-row.ts";
import type { Change } from "../../../src/domain/change.ts";
import { entryId, repoName, runId, taskIdOf } from "../../../src/domain/ids.ts";
import type { RepoName } from "../../../src/domain/ids.ts";
import type { Store } from "../../../src/ports/store.ts";
import { NOW, aHold, aRun, aTask, anEntry } from "../../support/builders.ts";
import { times } from "../../support/proofs.ts";
import { added, later, moved, started, step } from "./changes.ts";
import { compiledChildren } from "./compiled.ts";
import { RIVALS, Rivals } from "./rivals.ts";
import { sortedMemory } from "./sorted-memory.ts";
import { usePostgres } from "./use-postgres.ts";

const ROUNDS = times({ test: 4, ci: 12, long: 120 });
const EVERY = Array.from({ length: RIVALS }, (_, i) => i);

const server = usePostgres();
let rivals: Rivals;
let store: Store;
let repos: RepoName[] = [];

beforeAll(async () => {
  const compiled = await compiledChildren();
  const url = await server().createDatabase();
  store = await openStore({ kind: "postgres", url, now: () => NOW });
  rivals = new Rivals(compiled, url);
  await rivals.ready();
});
afterAll(async () => {
  await rivals.end();
  await store.close();
});
beforeEach(() => {
  repos = [];
});

function newRepo(name: string): RepoName {
  const repo = repoName(`octo/${name}`);
  repos.push(repo);
  return repo;
}

/** One succeeded, and all others were told that they came too late. */
function expectOneWinner(results: readonly string[], loss: RegExp = /^store-conflict: /): void {
  expect(results).toHaveLength(RIVALS);
  const losses = results.filter((result) => result !== "won" && result !== "held");
  for (const result of losses) expect(result).toMatch(loss);
  expect(losses).toHaveLength(RIVALS - 1);
}

async function expectWhole(): Promise<void> {
  const events = await store.events(0, 1_000_000);
  expect(brokenLink(events)).toBeUndefined();
  for (const repo of repos) {
    const replayed = replay(events.filter((event) => event.repo === repo));
    expect(sortedMemory(await store.readRepo(repo))).toEqual(sortedMemory(replayed));
  }
}

const queued = (task: Change & { kind: "task-added" }, name: string): Change => ({
  kind: "run-queued",
  run: aRun({ id: runId(name), task: task.task.id, attempt: 1 + Number(/\d+$/.exec(name)?.[0]) }),
});

describe(`of ${RIVALS} rivals in several processes`, () => {
  it("one moves a task", async () => {
    const repo = newRepo("moves");
    for (let issue = 1; issue <= ROUNDS; issue += 1) {
      await store.record(repo, [added(aTask({ repo, issue }))]);
      const change = { ...moved("waiting", "running"), task: taskIdOf(repo, issue) };
      expectOneWinner(await rivals.try({ kind: "record", repo, changes: [change] }));
    }
    await expectWhole();
  });

  it("one starts a run of a task", async () => {
    const repo = newRepo("runs");
    for (let issue = 1; issue <= ROUNDS; issue += 1) {
      const task = added(aTask({ repo, issue }));
      await store.record(repo, [task, ...EVERY.map((n) => queued(task, `start-${issue}-${n}`))]);
      const change = started(runId(`start-${issue}-%`));
      expectOneWinner(await rivals.try({ kind: "record", repo, changes: [change] }));
    }
    await expectWhole();
  });

  it("one queues an attempt", async () => {
    const repo = newRepo("attempts");
    await store.record(repo, [added(aTask({ repo }))]);
    for (let attempt = 1; attempt <= ROUNDS; attempt += 1) {
      const run = aRun({ id: runId(`attempt-${attempt}-%`), task: taskIdOf(repo, 1), attempt });
      const changes = [{ kind: "run-queued", run } as const];
      expectOneWinner(await rivals.try({ kind: "record", repo, changes }));
    }
    await expectWhole();
  });

  it("one lands on a base branch", async () => {
    const repo = newRepo("entries");
    const task = added(aTask({ repo }));
    await store.record(repo, [task]);
    for (let round = 1; round <= ROUNDS; round += 1) {
      const entries = EVERY.map((n) => {
        const id = entryId(`entry-${round}-${n}`);
        const base = `base-${round}`;
        return anEntry({ id, repo, base, task: task.task.id, pull: round * RIVALS + n });
      });
      const changes = entries.flatMap((entry) => [
        { kind: "entry-added", entry } as const,
        step(entry.id, "queued", "verifying", { place: 0 }),
        step(entry.id, "verifying", "verified"),
      ]);
      await store.record(repo, changes);
      const change = step(`entry-${round}-%`, "verified", "landing");
      expectOneWinner(await rivals.try({ kind: "record", repo, changes: [change] }));
    }
    await expectWhole();
  });

  it("one takes claims by what all have read, and the others take nothing", async () => {
    // Each of them holds its claims after it won: with every round one fewer can win.
    for (let begun = 0; begun < ROUNDS; begun += RIVALS / 2) {
      const repo = newRepo(`claims-${begun}`);
      const tasks = EVERY.map((n) => added(aTask({ repo, issue: n, state: "running" })));
      const runs = tasks.map((task, n) => queued(task, `claim-${begun}-${n}`));
      await store.record(repo, [...tasks, ...runs]);
      for (let round = 1; round <= Math.min(RIVALS / 2, ROUNDS - begun); round += 1) {
        const { fence } = await store.readRepo(repo);
        const run = runId(`claim-${begun}-%`);
        const hold = { ...aHold({ run, fence: fence + 1, takenAt: NOW }), task: `${repo}#%` };
        const changes = [{ kind: "claims-taken", hold } as Change];
        expectOneWinner(await rivals.try({ kind: "record", repo, changes }));
        expect((await store.readRepo(repo)).holds).toHaveLength(round);
      }
    }
    await expectWhole();
  });

  it("one gets a lease", async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      expectOneWinner(await rivals.try({ kind: "lease", name: `lease-${round}` }), /^busy$/);
    }
  });

  it("each signal is new to one, whatever the order in which they bring them", async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const ids = Array.from({ length: 40 }, (_, n) => `signal-${round}-${n}`);
      const news = (await rivals.try({ kind: "signals", ids })).map(Number);
      expect(news.reduce((sum, count) => sum + count, 0)).toBe(40);
    }
  });

  it("all write when nothing is in their way", async () => {
    const repo = newRepo("free");
    for (let round = 0; round < ROUNDS; round += 1) {
      const task = { ...aTask({ repo }), id: `${repo}#${round}-%`, issue: round };
      const run = aRun({ id: runId(`free-${round}-%`) });
      const changes = [
        { kind: "task-added", task },
        { kind: "run-queued", run: { ...run, task: task.id } },
        { ...started(run.id), at: later(round) },
      ] as unknown as readonly Change[];
      const results = await rivals.try({ kind: "record", repo, changes });
      expect(new Set(results)).toEqual(new Set(["won"]));
    }
    expect((await store.readRepo(repo)).runs).toHaveLength(ROUNDS * RIVALS);
    await expectWhole();
  });
});
