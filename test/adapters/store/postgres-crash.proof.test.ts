import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { openStore } from "../../../src/adapters/store/open-store.ts";
import { brokenLink } from "../../../src/adapters/store/rows/event-row.ts";
import type { OpenStore } from "../../../src/adapters/store/store-options.ts";
import { repoName } from "../../../src/domain/ids.ts";
import type { RepoName } from "../../../src/domain/ids.ts";
import type { Store } from "../../../src/ports/store.ts";
import { NOW, REPO, aTask } from "../../support/builders.ts";
import { times } from "../../support/proofs.ts";
import { added } from "./changes.ts";
import { compiledChildren } from "./compiled.ts";
import { expectAcknowledged, killedWriter, startChild } from "./killed-writer.ts";
import { usePostgres } from "./use-postgres.ts";

const KILLS = times({ test: 4, ci: 16, long: 160 });
const AT_ONCE = 4;

const server = usePostgres({ fsync: true });
let compiled: string;
beforeAll(async () => {
  compiled = await compiledChildren();
});

async function opened(): Promise<{ readonly url: string; readonly store: OpenStore }> {
  const url = await server().createDatabase();
  return { url, store: await openStore({ kind: "postgres", url, now: () => NOW }) };
}

describe("a process that is killed", () => {
  it("in the middle of a transaction leaves nothing, and nobody waits for it", async () => {
    const { url, store } = await opened();
    const stuck = startChild(compiled, "stuck", url);
    await once(stuck.stdout, "data");
    const waiting = store.record(REPO, [added(aTask())]);
    stuck.kill("SIGKILL");
    await waiting;
    expect((await store.readRepo(REPO)).tasks).toEqual([aTask()]);
    await store.close();
  });

  it(`keeps all that it acknowledged, over ${KILLS} kills, while others write`, async () => {
    const { url, store } = await opened();
    const rounds = new Map<string, number>();
    const kill = async (first: number): Promise<void> => {
      for (let n = first; n < KILLS; n += AT_ONCE) {
        const name = `writer-${n}`;
        rounds.set(name, await killedWriter({ compiled, place: url, name }));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, first) => kill(first)));
    for (const [name, acknowledged] of rounds) await expectAcknowledged(store, name, acknowledged);
    expect([...rounds.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(KILLS);
    expect(brokenLink(await store.events(0, 1_000_000))).toBeUndefined();
    await store.close();
  });
});

describe("a server that crashes and comes back", () => {
  it("costs errors that say so, and nothing that was acknowledged", async () => {
    const { store } = await opened();
    const wakes: unknown[] = [];
    store.wakeUps.onWake((repo) => wakes.push(repo));
    const writers = ["a", "b", "c"].map((name) => new Writer(store, name));
    const each = (holds: (writer: Writer) => boolean) =>
      vi.waitFor(() => expect(writers.every(holds)).toBe(true), { timeout: 60_000 });
    await each((writer) => writer.acknowledged.length > 5);
    await server().crash();
    await each((writer) => writer.failures.length > 0);
    const before = writers.map((writer) => writer.acknowledged.length);
    await server().start();
    await each((writer) => writer.acknowledged.length > Math.max(...before) + 5);
    await vi.waitFor(() => expect(wakes).toEqual([undefined, undefined]), { timeout: 60_000 });
    for (const writer of writers) {
      await writer.stop();
      const lost = { name: "AppError", code: "store-unusable", retryable: true };
      for (const failure of writer.failures) expect(failure).toMatchObject(lost);
      const { tasks } = await store.readRepo(writer.repo);
      const kept = tasks.map((task) => task.issue);
      expect(kept).toEqual(expect.arrayContaining(writer.acknowledged));
    }
    expect(brokenLink(await store.events(0, 1_000_000))).toBeUndefined();
    await store.close();
  });
});

/** Adds tasks without end, and remembers what the store said. */
class Writer {
  readonly repo: RepoName;
  readonly acknowledged: number[] = [];
  readonly failures: unknown[] = [];
  readonly #ended: Promise<void>;
  #stopped = false;

  constructor(store: Store, name: string) {
    this.repo = repoName(`octo/${name}`);
    this.#ended = this.#write(store);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#ended;
  }

  async #write(store: Store): Promise<void> {
    for (let issue = 1; !this.#stopped; issue += 1) {
      const task = aTask({ repo: this.repo, issue });
      const failure: unknown = await store
        .record(this.repo, [added(task)])
        .catch((e: unknown) => e);
      if (failure === undefined) this.acknowledged.push(issue);
      else this.failures.push(failure);
      await pause(failure === undefined ? 0 : 50);
    }
  }
}
