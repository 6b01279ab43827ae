import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FIRST_LINK, brokenLink } from "../../../src/adapters/store/chain.ts";
import type { Link } from "../../../src/adapters/store/chain.ts";
import { openEmbeddedEngine } from "../../../src/adapters/store/embedded-engine.ts";
import type { Engine } from "../../../src/adapters/store/engine.ts";
import { entryRow } from "../../../src/adapters/store/entry-row.ts";
import { eventRow } from "../../../src/adapters/store/event-row.ts";
import { MIGRATIONS, migrate } from "../../../src/adapters/store/migrate.ts";
import { replay } from "../../../src/adapters/store/replay.ts";
import { runRow } from "../../../src/adapters/store/run-row.ts";
import { sqlStore } from "../../../src/adapters/store/sql-store.ts";
import { taskRow } from "../../../src/adapters/store/task-row.ts";
import type { Change } from "../../../src/domain/change.ts";
import { entryId, instant, runId, taskIdOf } from "../../../src/domain/ids.ts";
import type { Run } from "../../../src/domain/run.ts";
import type { Task, TaskState } from "../../../src/domain/task.ts";
import type { Store } from "../../../src/ports/store.ts";
import * as given from "../../support/builders.ts";
import { NOW, OTHER_REPO, REPO, aHold } from "../../support/builders.ts";
import { later } from "./changes.ts";
import { sortedMemory } from "./sorted-memory.ts";

const FIRST = Object.fromEntries(Object.entries(MIGRATIONS).slice(0, 1));

let path: string;
let engine: Engine;
let store: Store;
let last: Link;

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "wavetrain-migrate-"));
  engine = await openEmbeddedEngine(path);
  await migrate(engine.db, FIRST);
  store = sqlStore(engine, { now: () => NOW });
  last = FIRST_LINK;
});
afterEach(async () => {
  await engine.close();
  await rm(path, { recursive: true });
});

/** Writes the row as the first schema had it: columns that came later are left out. */
async function insert(table: "tasks" | "runs" | "entries" | "events", row: object): Promise<void> {
  const known = (await engine.db.introspection.getTables()).find(({ name }) => name === table);
  const names = new Set(known?.columns.map(({ name }) => name.replaceAll("_", "").toLowerCase()));
  const kept = Object.entries(row).filter(([name]) => names.has(name.toLowerCase()));
  await engine.db
    .insertInto(table)
    .values(Object.fromEntries(kept) as never)
    .execute();
}

async function log(task: Task, subject: string, change: Change): Promise<void> {
  const event = eventRow(last, { at: NOW, repo: task.repo, subject, change });
  await insert("events", event);
  last = event;
}

async function write(members: Partial<Task>, ...runs: readonly Partial<Run>[]): Promise<void> {
  const task = given.aTask(members);
  await insert("tasks", taskRow(task));
  await log(task, task.id, { kind: "task-added", task });
  for (const [at, run] of runs.entries()) {
    const row = given.aRun({ task: task.id, attempt: at + 1, queuedAt: later(at), ...run });
    await insert("runs", runRow(task.repo, row));
    await log(task, row.id, { kind: "run-queued", run: row });
  }
}

describe("the migration to held claims", () => {
  it("gives tasks at work the claims that they declared, in the order of their runs", async () => {
    await write({ issue: 1, state: "review" }, { id: runId("1a") }, { id: runId("1b") });
    await write({ issue: 2, state: "running" }, { id: runId("2a"), queuedAt: later(-9) });
    await write({ issue: 3, state: "queued", repo: OTHER_REPO }, { id: runId("3a") });
    await migrate(engine.db);
    const { holds, fence } = await store.readRepo(REPO);
    const [one, two] = [taskIdOf(REPO, 1), taskIdOf(REPO, 2)];
    expect(holds).toEqual([
      aHold({ task: two, run: runId("2a"), fence: 1, takenAt: later(-9) }),
      aHold({ task: one, run: runId("1b"), fence: 2, takenAt: later(1) }),
    ]);
    expect([fence, (await store.readRepo(OTHER_REPO)).fence]).toEqual([2, 1]);
  });

  it.each<TaskState>(["waiting", "blocked", "failed", "cancelled", "landed"])(
    "gives nothing to a task that is %s, nor to one at work without a run",
    async (state) => {
      await write({ issue: 1, state }, { id: runId("1a") });
      await write({ issue: 2, state: "running" });
      await migrate(engine.db);
      expect(await store.readRepo(REPO)).toMatchObject({ holds: [], fence: 0 });
    },
  );

  it("writes down what it does: the log still replays to the state, in one chain", async () => {
    await write({ issue: 1, state: "running" }, { id: runId("1a") });
    await write({ issue: 2, state: "review" }, { id: runId("2a") });
    await migrate(engine.db);
    const events = await store.events(0, 100);
    expect(brokenLink(events)).toBeUndefined();
    expect(sortedMemory(replay(events))).toEqual(sortedMemory(await store.readRepo(REPO)));
  });

  it("tells which task an old event belongs to, so that it can be folded", async () => {
    const id = taskIdOf(REPO, 1);
    await write({ state: "landed" }, { id: runId("1a"), state: "finished" });
    const entry = given.anEntry({ id: entryId("1e"), task: id, state: "landed" });
    await insert("entries", entryRow(entry));
    await log(given.aTask(), entry.id, { kind: "entry-added", entry });
    await migrate(engine.db);
    const before = sortedMemory(await store.readRepo(REPO));
    expect(await store.compact(instant(NOW + 1))).toEqual({ tasks: 1, events: 3 });
    const events = await store.events(0, 100);
    expect(brokenLink(events)).toBeUndefined();
    expect(sortedMemory(replay(events))).toEqual(before);
  });

  it("leaves a store that a newer version wrote alone", async () => {
    await migrate(engine.db);
    const refused = migrate(engine.db, FIRST);
    await expect(refused).rejects.toThrow("the store was written by a newer version");
  });
});
