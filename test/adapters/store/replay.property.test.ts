import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { replay } from "../../../src/adapters/store/events/replay.ts";
import { openStore } from "../../../src/adapters/store/open-store.ts";
import { brokenLink } from "../../../src/adapters/store/rows/event-row.ts";
import type { Change } from "../../../src/domain/change.ts";
import { isOpenEntry } from "../../../src/domain/entry.ts";
import type { Entry } from "../../../src/domain/entry.ts";
import { repoName } from "../../../src/domain/ids.ts";
import type { RepoName } from "../../../src/domain/ids.ts";
import type { Run } from "../../../src/domain/run.ts";
import type { RepoMemory, Store } from "../../../src/ports/store.ts";
import { AppError } from "../../../src/shared/app-error.ts";
import { NOW, aTask } from "../../support/builders.ts";
import fc from "../../support/fast-check.ts";
import { added } from "./changes.ts";
import { arbitraryBatches, changeOf } from "./histories.ts";
import { sortedMemory } from "./sorted-memory.ts";

let folder: string;
let store: Store;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wavetrain-replay-"));
  store = await openStore({ path: folder, now: () => NOW });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

describe("replay", () => {
  it("gives the state of the tables for any history without what was refused", async () => {
    const count = { accepted: 0, refused: 0 };
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryBatches, async (batches) => {
        const repo = repoName(`octo/history-${seen}`);
        const written: Change[] = [1, 2, 3].map((issue) => added(aTask({ repo, issue })));
        await store.record(repo, written);
        for (const batch of batches) {
          const memory = await store.readRepo(repo);
          const changes = batch.map((draw) => changeOf(repo, memory, draw));
          const accepted = await isRecorded(repo, changes);
          if (accepted) written.push(...changes);
          count[accepted ? "accepted" : "refused"] += 1;
        }
        const events = await store.events(seen, 1000);
        seen += events.length;
        expect(events.map((event) => event.change)).toEqual(written);
        const tables = await store.readRepo(repo);
        expect(sortedMemory(replay(events))).toEqual(sortedMemory(tables));
        expectExclusive(tables);
      }),
      { numRuns: 25 },
    );
    expect(count.accepted).toBeGreaterThan(100);
    expect(count.refused).toBeGreaterThan(100);
    expect(brokenLink(await store.events(0, seen))).toBeUndefined();
  });
});

async function isRecorded(repo: RepoName, batch: readonly Change[]): Promise<boolean> {
  try {
    await store.record(repo, batch);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "store-conflict") return false;
    throw error;
  }
}

function expectExclusive({ runs, entries }: RepoMemory): void {
  const running = runs.filter((run) => run.state === "running");
  expectUnique(running, (run: Run) => run.task);
  expectUnique(runs, (run: Run) => [run.task, run.specHash, run.attempt].join());
  // A batch lands as a whole, each entry in its place.
  const landing = entries.filter(({ state, place }) => state === "landing" && place !== undefined);
  expectUnique(landing, (entry: Entry) => `${entry.base} ${entry.place}`);
  const open = entries.filter(({ state }) => isOpenEntry(state));
  expectUnique(open, (entry: Entry) => String(entry.pull));
}

function expectUnique<T>(rows: readonly T[], key: (row: T) => string): void {
  expect(new Set(rows.map(key)).size).toBe(rows.length);
}
