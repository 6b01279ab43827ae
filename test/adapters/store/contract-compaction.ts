import { beforeEach, describe, expect, it } from "vitest";
import { replay } from "../../../src/adapters/store/events/replay.ts";
import { brokenLink } from "../../../src/adapters/store/rows/event-row.ts";
import type { Change } from "../../../src/domain/change.ts";
import { entryId, instant, runId, taskIdOf } from "../../../src/domain/ids.ts";
import type { RecordedEvent, RepoMemory } from "../../../src/ports/store.ts";
import { HOUR_MS, NOW, OTHER_REPO, REPO } from "../../support/builders.ts";
import * as given from "../../support/builders.ts";
import { TASK, added, finished, later, moved, queued, started, step } from "./changes.ts";
import type { UnderTest } from "./contract-claims.ts";
import { sortedMemory } from "./sorted-memory.ts";

const EVERYTHING = instant(NOW + 1000 * 24 * HOUR_MS);
const conflict = { name: "AppError", code: "store-conflict" };

/** All that happens to a task that lands, in the order in which it does. */
function life(issue: number, fence: number): readonly Change[] {
  const task = taskIdOf(REPO, issue);
  const run = runId(`run-${issue}`);
  const entry = given.anEntry({ id: entryId(`entry-${issue}`), task, pull: issue });
  const intent = given.anIntent({ key: `publish:${run}`, subject: task });
  const move = (...[from, to]: Parameters<typeof moved>): Change => ({ ...moved(from, to), task });
  return [
    added(given.aTask({ issue })),
    { kind: "run-queued", run: given.aRun({ id: run, task }) },
    move("waiting", "running"),
    { kind: "claims-taken", hold: given.aHold({ task, run, fence }) },
    started(run),
    { kind: "intent-opened", intent },
    { kind: "intent-closed", key: intent.key, result: "#1", at: later(3) },
    finished(run),
    move("running", "review"),
    { kind: "entry-added", entry },
    step(entry.id, "queued", "landed"),
    move("review", "landed"),
  ];
}

export function describeCompaction(use: UnderTest): void {
  const record = (...changes: readonly Change[]) => use.store().record(REPO, changes);
  const read = () => use.store().readRepo(REPO);
  const log = () => use.store().events(0, 10_000);
  const kinds = async () => (await log()).map(({ change }) => change.kind);

  async function expectSame(before: RepoMemory, events: readonly RecordedEvent[]): Promise<void> {
    expect(sortedMemory(await read())).toEqual(sortedMemory(before));
    expect(sortedMemory(replay(events))).toEqual(sortedMemory(before));
    expect(brokenLink(events)).toBeUndefined();
  }

  describe("the log", () => {
    it("knows exactly what it wrote", async () => {
      const [task, other] = [added(given.aTask()), added(given.aTask({ issue: 2 }))];
      await record(task);
      expect(await use.store().isRecorded(REPO, [task])).toBe(true);
      expect(await use.store().isRecorded(REPO, [task, other])).toBe(false);
      expect(await use.store().isRecorded(OTHER_REPO, [task])).toBe(false);
      expect(
        await use.store().isRecorded(REPO, [{ ...task, task: given.aTask({ reason: "x" }) }]),
      ).toBe(false);
    });
  });

  describe("compaction", () => {
    it("makes one event of all of an ended task, and changes nothing else", async () => {
      await record(...life(1, 1));
      const before = await read();
      const hashes = (await log()).map(({ hash }) => hash);
      expect(await use.store().compact(EVERYTHING)).toEqual({ tasks: 1, events: 12 });
      const events = await log();
      expect(events.map(({ seq, hash }) => [seq, hash])[0]).toEqual([12, hashes.at(-1)]);
      expect(events.map(({ change }) => change.kind)).toEqual(["events-folded", "task-compacted"]);
      expect(events[1]).toMatchObject({
        seq: 13,
        repo: REPO,
        subject: TASK,
        change: { task: { state: "landed" }, fence: 1, replaces: { events: 12 } },
      });
      await expectSame(before, events);
    });

    it("leaves tasks alone that have not ended, or about which anything is newer", async () => {
      await record(...life(1, 1), added(given.aTask({ issue: 2 })));
      expect(await use.store().compact(later(9))).toEqual({ tasks: 0, events: 0 });
      expect(await use.store().compact(later(10))).toMatchObject({ tasks: 1 });
      expect(await kinds()).toEqual(["events-folded", "task-added", "task-compacted"]);
    });

    it.each([
      ["run", [queued(runId("open"), 7)]],
      ["entry", [{ kind: "entry-added", entry: given.anEntry({ id: entryId("open") }) }]],
      ["intent", [{ kind: "intent-opened", intent: given.anIntent({ subject: TASK }) }]],
    ] as const)("leaves a task alone that has an open %s", async (_, open) => {
      await record(...life(1, 1), ...open);
      expect(await use.store().compact(EVERYTHING)).toEqual({ tasks: 0, events: 0 });
    });

    it("keeps order, chain and replay among events of tasks that go on", async () => {
      const [one, two] = [life(1, 1), life(2, 2)];
      const live = added(given.aTask({ issue: 3 }));
      const explain = (reason: string): Change => ({
        kind: "task-explained",
        task: taskIdOf(REPO, 3),
        reason,
        wave: 1,
        at: later(1),
      });
      await record(live, ...one.slice(0, 6), explain("a"), ...two.slice(0, 4), ...one.slice(6));
      await record(explain("b"), ...two.slice(4), explain("c"));
      const before = await read();
      expect(await use.store().compact(EVERYTHING)).toEqual({ tasks: 2, events: 24 });
      const events = await log();
      expect(events.map(({ change }) => change.kind)).toEqual([
        "task-added",
        "events-folded",
        "task-explained",
        "events-folded",
        "task-explained",
        "events-folded",
        "task-explained",
        "task-compacted",
        "task-compacted",
      ]);
      await expectSame(before, events);
    });

    it("joins the places of what was folded at different times", async () => {
      await record(...life(1, 1), ...life(2, 2).map(postponed), ...life(3, 3));
      expect(await use.store().compact(later(10))).toMatchObject({ tasks: 2 });
      const before = await read();
      expect(await use.store().compact(EVERYTHING)).toMatchObject({ tasks: 1 });
      expect((await log()).map(({ seq }) => seq)).toEqual([36, 37, 38, 39]);
      await expectSame(before, await log());
    });

    it("goes on from what was folded: events, numbers of claims, states", async () => {
      await record(...life(1, 1), ...life(2, 2));
      await use.store().compact(EVERYTHING);
      await expect(record(...life(3, 1))).rejects.toMatchObject(conflict);
      await record(...life(3, 3));
      expect((await use.store().taskStates([TASK])).get(TASK)).toBe("landed");
      await expect(record(added(given.aTask()))).rejects.toMatchObject(conflict);
      await expectSame(await read(), await log());
    });

    it("folds a task again that came back after it was folded", async () => {
      await record(added(given.aTask()), moved("waiting", "cancelled"));
      await use.store().compact(EVERYTHING);
      await record(moved("cancelled", "waiting"), moved("waiting", "landed"));
      const before = await read();
      expect(await use.store().compact(EVERYTHING)).toEqual({ tasks: 1, events: 2 });
      expect(before.tasks[0]?.state).toBe("landed");
      await expectSame(before, await log());
    });

    it("has nothing left to do the second time", async () => {
      await record(...life(1, 1));
      await use.store().compact(EVERYTHING);
      const events = await log();
      expect(await use.store().compact(EVERYTHING)).toEqual({ tasks: 0, events: 0 });
      expect(await log()).toEqual(events);
    });

    it("takes more tasks than fit into one transaction, of any repository", async () => {
      const tasks = Array.from({ length: 120 }, (_, i) =>
        given.aTask({ issue: i + 1, state: "landed" }),
      );
      await record(...tasks.map(added));
      const other = given.aTask({ repo: OTHER_REPO, state: "failed" });
      await use.store().record(OTHER_REPO, [added(other)]);
      expect(await use.store().compact(EVERYTHING)).toEqual({ tasks: 121, events: 121 });
      expect(brokenLink(await log())).toBeUndefined();
      expect(replay(await log()).tasks).toHaveLength(121);
    });

    it("lets a reader go on who stopped amid what was folded since", async () => {
      await record(...life(1, 1));
      const stopped = (await log())[5];
      await use.store().compact(EVERYTHING);
      expect(brokenLink(await use.store().events(stopped?.seq ?? 0, 100), stopped)).toBeUndefined();
    });

    it("does not hide a changed event, nor one taken out beside a folded one", async () => {
      await record(...life(1, 1), added(given.aTask({ issue: 2 })));
      await use.store().compact(EVERYTHING);
      const [folded, live, summary] = await log();
      expect(brokenLink([folded!, { ...live!, at: later(99) }, summary!])?.seq).toBe(13);
      expect(brokenLink([folded!, summary!])?.seq).toBe(14);
      expect(brokenLink([{ ...folded!, hash: "0" }, live!, summary!])?.seq).toBe(13);
    });

    it("is the only one to write what stands for folded events", async () => {
      const fold: Change = { kind: "events-folded", first: 1, at: NOW };
      await expect(record(fold)).rejects.toMatchObject(conflict);
      const rows = {
        task: given.aTask(),
        runs: [],
        entries: [],
        explorations: [],
        fence: 0,
        at: NOW,
      };
      const replaces = { events: 1, digest: "" };
      await expect(record({ kind: "task-compacted", ...rows, replaces })).rejects.toMatchObject(
        conflict,
      );
    });
  });

  describe("old signals", () => {
    const signal = (deliveryId: string, ms: number) =>
      use.store().addSignal(given.aSignal({ deliveryId, receivedAt: later(ms) }));
    beforeEach(async () => {
      for (const [id, ms] of [
        ["a", 1],
        ["b", 2],
        ["c", 3],
      ] as const)
        await signal(id, ms);
    });

    it("are forgotten once they were seen, never before", async () => {
      await use.store().markSeen(["b", "c"], later(4));
      expect(await use.store().forgetSignals(later(3))).toBe(1);
      expect(await signal("a", 1)).toBe("duplicate");
      expect(await signal("b", 2)).toBe("new");
      expect(await signal("c", 3)).toBe("duplicate");
    });
  });
}

/** The same, ten milliseconds after everything else. */
function postponed(change: Change): Change {
  return "at" in change ? { ...change, at: instant(change.at + 10) } : change;
}
