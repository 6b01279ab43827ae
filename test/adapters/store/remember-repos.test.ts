import { describe, expect, it } from "vitest";
import { rememberRepos } from "../../../src/adapters/store/remember-repos.ts";
import type { SqlStore } from "../../../src/adapters/store/sql-store.ts";
import { instant, runId } from "../../../src/domain/ids.ts";
import { HOUR_MS, NOW, OTHER_REPO, REPO, aTask } from "../../support/builders.ts";
import { useStore } from "../../support/use-store.ts";
import { added, finished, later, moved, queued, started } from "./changes.ts";

const DAY_MS = 24 * HOUR_MS;

describe("rememberRepos", () => {
  let now = NOW;
  const open = useStore(() => now);

  it("gives the same view until something is written", async () => {
    const store = open();
    const [one, two] = await Promise.all([store.readRepo(REPO), store.readRepo(REPO)]);
    expect(two).toBe(one);
    expect(await store.readRepo(REPO)).toBe(one);
    await store.record(REPO, [added(aTask())]);
    expect((await store.readRepo(REPO)).tasks).toEqual([aTask()]);
  });

  it("keeps the view of a repository when another one changes", async () => {
    const store = open();
    const before = await store.readRepo(OTHER_REPO);
    await store.record(REPO, [added(aTask())]);
    expect(await store.readRepo(OTHER_REPO)).toBe(before);
  });

  it("shows a heartbeat at once", async () => {
    const store = open();
    await store.record(REPO, [added(aTask()), queued(runId("a"), 1)]);
    await store.readRepo(REPO);
    await store.heartbeat(runId("a"), later(7));
    expect((await store.readRepo(REPO)).runs[0]?.heartbeatAt).toBe(later(7));
  });

  it("shows a write to whoever asks after it, also when others asked meanwhile", async () => {
    const store = open();
    await store.record(REPO, [added(aTask())]);
    const early = store.readRepo(REPO);
    const write = store.record(REPO, [moved("waiting", "blocked")]);
    const meanwhile = store.readRepo(REPO);
    await write;
    expect((await store.readRepo(REPO)).tasks[0]?.state).toBe("blocked");
    await Promise.all([early, meanwhile]);
    expect((await store.readRepo(REPO)).tasks[0]?.state).toBe("blocked");
  });

  it("forgets an ended task to the moment, and knows it again when the clock is set back", async () => {
    const store = open();
    await store.record(REPO, [added(aTask({ state: "landed" }))]);
    const countAt = async (ms: number): Promise<number> => {
      now = instant(NOW + ms);
      return (await store.readRepo(REPO)).tasks.length;
    };
    expect(await countAt(0)).toBe(1);
    expect(await countAt(DAY_MS)).toBe(1);
    expect(await countAt(DAY_MS + 1)).toBe(0);
    expect(await countAt(DAY_MS)).toBe(1);
    now = NOW;
  });

  it("leaves a task out that ended long ago, and has it with its runs when it goes on", async () => {
    const store = open();
    const run = runId("a");
    await store.record(REPO, [added(aTask()), queued(run, 1), started(run), finished(run)]);
    const seenAt = async (): Promise<readonly number[]> => {
      const { tasks, runs } = await store.readRepo(REPO);
      return [tasks.length, runs.length];
    };
    expect(await seenAt()).toEqual([1, 1]);
    now = instant(NOW + 2 * DAY_MS);
    await store.record(REPO, [moved("waiting", "cancelled")]);
    expect(await seenAt()).toEqual([0, 0]);
    await store.record(REPO, [moved("cancelled", "waiting")]);
    expect(await seenAt()).toEqual([1, 1]);
    now = NOW;
  });

  it("reads again after a reading that failed", async () => {
    let fails = true;
    const flaky: SqlStore = {
      ...open(),
      rereadRepo: () => Promise.reject(new Error("disk")),
      readRepo: (repo) => (fails ? Promise.reject(new Error("disk")) : open().readRepo(repo)),
    };
    const store = rememberRepos(flaky, () => now);
    await expect(store.readRepo(REPO)).rejects.toThrow("disk");
    fails = false;
    expect((await store.readRepo(REPO)).tasks).toEqual([]);
  });
});
