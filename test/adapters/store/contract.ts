import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { brokenLink } from "../../../src/adapters/store/rows/event-row.ts";
import type { Change } from "../../../src/domain/change.ts";
import { entryMayFollow } from "../../../src/domain/entry.ts";
import { batchId, entryId, instant, runId, taskId } from "../../../src/domain/ids.ts";
import type { Instant } from "../../../src/domain/ids.ts";
import { mayFollow } from "../../../src/domain/task.ts";
import type { Store } from "../../../src/ports/store.ts";
import { HOUR_MS, NOW, OTHER_REPO, REPO, SUCCEEDED, shaOf } from "../../support/builders.ts";
import * as given from "../../support/builders.ts";
import { EVIDENCE, TASK, added, finished, later, moved, queued, started, step } from "./changes.ts";
import { describeClaims } from "./contract-claims.ts";
import { describeCommands } from "./contract-commands.ts";
import { describeCompaction } from "./contract-compaction.ts";
import { describeLeases } from "./contract-leases.ts";
import { describeNames } from "./contract-names.ts";
import { describeSignals } from "./contract-signals.ts";
import { describeTrains } from "./contract-trains.ts";
import { ENTRY_STATES, TASK_STATES } from "./histories.ts";

const conflict = { name: "AppError", code: "store-conflict" };

/** What every engine keeps. `open` gives an empty store. */
export function describeStore(name: string, open: (now: () => Instant) => Promise<Store>): void {
  describe(name, () => {
    let store: Store;
    let now = NOW;

    beforeEach(async () => {
      now = NOW;
      store = await open(() => now);
    });
    afterEach(() => store.close());

    const record = (...changes: readonly Change[]): Promise<void> => store.record(REPO, changes);
    const read = () => store.readRepo(REPO);
    const kinds = async () => (await store.events(0, 100)).map((event) => event.change.kind);

    const use = { store: () => store, at: (ms: number) => (now = instant(ms)) };
    describeClaims(use);
    describeCommands(use);
    describeNames(use);
    describeLeases(use);
    describeCompaction(use);
    describeSignals(use);
    describeTrains(use);

    describe("tasks", () => {
      it("gives a task back as it was written", async () => {
        const bare = given.aTask();
        const full = given.aTask({
          issue: 2,
          spec: given.aSpec({ size: "xl", parent: TASK, dependsOn: [TASK] }),
          wave: 0,
          notBefore: later(1),
          branch: "wavetrain/2",
          pull: 12,
          landedSha: shaOf(3),
        });
        await record(added(bare), added(full));
        expect((await read()).tasks).toEqual([bare, full]);
      });

      it("refuses a task that is already there", async () => {
        await record(added(given.aTask()));
        await expect(record(added(given.aTask({ reason: "again" })))).rejects.toMatchObject(
          conflict,
        );
        expect((await read()).tasks).toEqual([given.aTask()]);
      });

      it("refuses a task of another repository", async () => {
        await expect(record(added(given.aTask({ repo: OTHER_REPO })))).rejects.toMatchObject(
          conflict,
        );
      });

      const moves = TASK_STATES.flatMap((from) => TASK_STATES.map((to) => ({ from, to })));
      const split = (legal: boolean) =>
        moves.filter(({ from, to }) => mayFollow(from, to) === legal);

      it.each(split(true))("moves from $from to $to", async ({ from, to }) => {
        await record(added(given.aTask({ state: from })));
        await record(moved(from, to));
        const [task] = (await read()).tasks;
        expect(task).toMatchObject({ state: to, reason: "because", changedAt: later(5) });
      });

      it("refuses every move that the domain does not know", async () => {
        for (const [i, { from, to }] of split(false).entries()) {
          const task = given.aTask({ issue: i + 1, state: from });
          await record(added(task));
          const move = { ...moved(from, to), task: task.id };
          await expect(record(move), `${from} to ${to}`).rejects.toMatchObject(conflict);
        }
        expect(new Set(await kinds())).toEqual(new Set(["task-added"]));
      });

      it("refuses a move from a state that the task is not in", async () => {
        await record(added(given.aTask({ state: "running" })));
        await expect(record(moved("waiting", "blocked"))).rejects.toMatchObject(conflict);
      });

      it("refuses to change a task that it does not know", async () => {
        await expect(record(moved("waiting", "running"))).rejects.toMatchObject(conflict);
      });

      it("refuses to change a task under the name of another repository", async () => {
        await record(added(given.aTask()));
        const move = moved("waiting", "running");
        await expect(store.record(OTHER_REPO, [move])).rejects.toMatchObject(conflict);
      });

      it("writes the members that a move sets, clears those set to null, keeps the rest", async () => {
        await record(added(given.aTask({ pull: 3, branch: "kept", notBefore: later(1) })));
        await record(moved("waiting", "running", { attempts: 2, pull: null, notBefore: null }));
        const [task] = (await read()).tasks;
        expect(task).toMatchObject({ attempts: 2, branch: "kept" });
        expect([task?.pull, task?.notBefore]).toEqual([undefined, undefined]);
      });

      it("writes a new spec and a new explanation without touching the time of the state", async () => {
        const spec = given.aSpec({ title: "Sort it twice" });
        await record(
          added(given.aTask({ wave: 1 })),
          { kind: "task-respecified", task: TASK, spec, specHash: "spec-2", at: later(1) },
          { kind: "task-explained", task: TASK, reason: "no slot", wave: undefined, at: later(2) },
        );
        const expected = { spec, specHash: "spec-2", reason: "no slot" };
        expect((await read()).tasks).toEqual([given.aTask(expected)]);
      });

      it("keeps what a run should go on with until the task moves or nobody asks any more", async () => {
        const rework = {
          kind: "review",
          answers: ["review 7"],
          feedback: [{ from: "bob", text: "Shorter, please" }],
          seenAt: 7,
        } as const;
        const asked = { kind: "rework-asked", task: TASK, at: later(1) } as const;
        await record(added(given.aTask({ state: "review" })), { ...asked, rework });
        expect((await read()).tasks[0]?.rework).toEqual(rework);
        await record({ ...asked, rework: null });
        expect((await read()).tasks[0]?.rework).toBeUndefined();
        await record({ ...asked, rework }, moved("review", "running"));
        expect((await read()).tasks[0]?.rework).toBeUndefined();
        await expect(record({ ...asked, rework })).rejects.toMatchObject(conflict);
      });

      it("refuses a new spec for a task that is not waiting any more", async () => {
        await record(added(given.aTask()), moved("waiting", "running"));
        const spec = given.aSpec({ title: "Sort it twice" });
        const change = { kind: "task-respecified", task: TASK, spec, specHash: "spec-2" } as const;
        await expect(record({ ...change, at: later(1) })).rejects.toMatchObject(conflict);
        expect((await read()).tasks[0]?.specHash).toBe(given.aTask().specHash);
      });
    });

    describe("record", () => {
      it("writes nothing of a batch of which one change is refused", async () => {
        await record(added(given.aTask()));
        const batch = record(
          moved("waiting", "running"),
          { kind: "run-queued", run: given.aRun() },
          { kind: "intent-opened", intent: given.anIntent() },
          moved("waiting", "running"),
        );
        await expect(batch).rejects.toMatchObject(conflict);
        expect(await read()).toEqual(given.aMemory({ tasks: [given.aTask()] }));
        expect(await kinds()).toEqual(["task-added"]);
      });

      it("sees earlier changes of the same batch", async () => {
        await record(added(given.aTask()), moved("waiting", "running"), moved("running", "review"));
        expect((await read()).tasks[0]?.state).toBe("review");
      });

      it("lets one of many that start from the same state win", async () => {
        await record(added(given.aTask()));
        const rivals = Array.from({ length: 20 }, () => record(moved("waiting", "running")));
        const results = await Promise.allSettled(rivals);
        expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
        expect(await kinds()).toEqual(["task-added", "task-moved"]);
      });

      it("accepts an empty batch", async () => {
        await record();
        expect(await kinds()).toEqual([]);
      });
    });

    describe("runs", () => {
      beforeEach(() => record(added(given.aTask()), added(given.aTask({ issue: 2 }))));

      it("gives a finished run back with its whole course", async () => {
        const run = given.aRun();
        await record(queued(run.id, 1), started(run.id), finished(run.id));
        expect((await read()).runs).toEqual([
          {
            ...given.aRun({ state: "finished", startedAt: later(1), finishedAt: later(9) }),
            workspace: "/trees/run-1",
            baseSha: shaOf(1),
            logPath: "/log/run-1",
            heartbeatAt: later(1),
            outcome: SUCCEEDED,
          },
        ]);
      });

      it("keeps what a run cost and the name of its session", async () => {
        const usage = { inputTokens: 900, outputTokens: 12, cachedTokens: 800, costUsd: 0.25 };
        const told = { ...finished(runId("a")), usage, session: "thread-1" };
        await record(queued(runId("a"), 1), started(runId("a")), told);
        expect((await read()).runs).toMatchObject([{ usage, session: "thread-1" }]);
      });

      it("refuses the same attempt at the same spec of the same task", async () => {
        await record(queued(runId("a"), 1));
        await expect(record(queued(runId("b"), 1))).rejects.toMatchObject(conflict);
        await record(queued(runId("b"), 2));
      });

      it("refuses a second running run of a task", async () => {
        await record(queued(runId("a"), 1), queued(runId("b"), 2), started(runId("a")));
        await expect(record(started(runId("b")))).rejects.toMatchObject(conflict);
        await record(finished(runId("a")), started(runId("b")));
      });

      it("refuses to start or finish a run twice, or to start one that is finished", async () => {
        await record(queued(runId("a"), 1), started(runId("a")));
        await expect(record(started(runId("a")))).rejects.toMatchObject(conflict);
        await record(finished(runId("a")));
        await expect(record(finished(runId("a")))).rejects.toMatchObject(conflict);
        await expect(record(started(runId("a")))).rejects.toMatchObject(conflict);
      });

      it("refuses a run that is not queued, and one of a task that it does not know", async () => {
        const running: Change = { kind: "run-queued", run: given.aRun({ state: "running" }) };
        const orphan: Change = { kind: "run-queued", run: given.aRun({ task: taskId("none") }) };
        await expect(record(running)).rejects.toMatchObject(conflict);
        await expect(record(orphan)).rejects.toMatchObject(conflict);
      });

      it("remembers when the agent of a run ended, once it is at work", async () => {
        const run = given.aRun().id;
        const ended: Change = { kind: "agent-ended", run, at: later(2) };
        await record(queued(run, 1));
        await expect(record(ended)).rejects.toMatchObject(conflict);
        await record(started(run), ended);
        expect((await read()).runs[0]?.agentEndedAt).toBe(later(2));
      });

      it("finishes a run that never started", async () => {
        await record(queued(runId("a"), 1), finished(runId("a")));
        expect((await read()).runs[0]).toMatchObject({ state: "finished", startedAt: undefined });
      });

      it("moves a heartbeat forward until the run has ended, and says so when it has", async () => {
        const beat = async () => (await read()).runs[0]?.heartbeatAt;
        expect(await store.heartbeat(runId("a"), later(1))).toBe(false);
        await record(queued(runId("a"), 1));
        expect(await store.heartbeat(runId("a"), later(1))).toBe(true);
        expect(await beat()).toBe(later(1));
        await record(started(runId("a")));
        await store.heartbeat(runId("a"), later(4));
        expect(await store.heartbeat(runId("a"), later(3))).toBe(true);
        expect(await beat()).toBe(later(4));
        await record(finished(runId("a")));
        expect(await store.heartbeat(runId("a"), later(20))).toBe(false);
        expect(await beat()).toBe(later(4));
      });

      it("lists successful runs, newest first, up to the limit", async () => {
        for (const n of [1, 2, 3]) {
          const id = runId(`r${n}`);
          await record(queued(id, n), started(id), { ...finished(id), at: later(n) });
        }
        const stalled = { kind: "stalled", afterMs: 1 } as const;
        await record(queued(runId("r4"), 4), { ...finished(runId("r4")), outcome: stalled });
        expect((await store.finishedRuns(REPO, 2)).map((run) => run.id)).toEqual(["r3", "r2"]);
        expect(await store.finishedRuns(OTHER_REPO, 2)).toEqual([]);
      });

      it("lists the runs of every repository that ended since a moment, newest first, without their texts", async () => {
        const limited = { kind: "provider-limited", until: later(99) } as const;
        const lost = { kind: "lost", reason: "x", interrupted: true } as const;
        const usage = { inputTokens: 3, outputTokens: 1, cachedTokens: 2, costUsd: 0.5 };
        const failed = { kind: "failed", exitCode: 1, tail: "a long text" } as const;
        await record(queued(runId("old"), 1), { ...finished(runId("old")), at: later(1) });
        await record({
          kind: "run-queued",
          run: given.aRun({ id: runId("a"), attempt: 2, host: "north" }),
        });
        await record(started(runId("a")));
        await record({ kind: "agent-ended", run: runId("a"), at: later(1) });
        await record({ ...finished(runId("a")), at: later(2), outcome: limited });
        await record(queued(runId("b"), 3), {
          ...finished(runId("b")),
          at: later(3),
          outcome: lost,
        });
        await record(queued(runId("c"), 4));
        await record({ ...finished(runId("c")), at: later(4), outcome: failed, usage });
        await record(queued(runId("open"), 5));
        const found = await store.recentRuns(later(2));
        expect(found.map(({ id }) => id)).toEqual(["c", "b", "a"]);
        const nothing = { until: undefined, interrupted: false, usage: undefined };
        expect(found).toMatchObject([
          { ...nothing, repo: REPO, kind: "failed", finishedAt: later(4), usage },
          { ...nothing, kind: "lost", interrupted: true, startedAt: undefined },
          { ...nothing, kind: "provider-limited", until: later(99) },
        ]);
        expect(found.map(({ host, agentEndedAt }) => ({ host, agentEndedAt }))).toEqual([
          { host: undefined, agentEndedAt: undefined },
          { host: undefined, agentEndedAt: undefined },
          { host: "north", agentEndedAt: later(1) },
        ]);
        expect(JSON.stringify(found)).not.toContain("a long text");
      });

      it("keeps in mind runs that were not logged in", async () => {
        const refused = { kind: "not-logged-in", runner: "agent", keys: [], tail: "401" } as const;
        const run = { ...queued(runId("old"), 1).run, definition: "d1" };
        await record({ kind: "run-queued", run });
        await record({ ...finished(runId("old")), at: later(1), outcome: refused });
        expect(await store.recentRuns(later(5000))).toMatchObject([
          { id: "old", kind: "not-logged-in", definition: "d1" },
        ]);
      });

      it("tells the size of a successful run's task, if it has one", async () => {
        const id = runId("r1");
        await record(queued(id, 1), started(id), finished(id));
        const sizeOf = async () => (await store.finishedRuns(REPO, 1)).map((run) => run.size);
        expect(await sizeOf()).toEqual([undefined]);
        const spec = given.aSpec({ size: "xl" });
        const respecified = { kind: "task-respecified", task: TASK, spec } as const;
        await record({ ...respecified, specHash: "spec-2", at: later(1) });
        expect(await sizeOf()).toEqual(["xl"]);
      });
    });

    describe("entries", () => {
      const entry = (id: string, pull: number, base = "main"): Change => ({
        kind: "entry-added",
        entry: given.anEntry({ id: entryId(id), pull, base }),
      });
      beforeEach(() => record(added(given.aTask())));

      it("gives an entry back with its evidence, and without it when it is cleared", async () => {
        await record(entry("a", 1), step("a", "queued", "verifying"));
        await record(step("a", "verifying", "verified", { evidence: EVIDENCE }));
        expect((await read()).entries[0]).toMatchObject({ state: "verified", evidence: EVIDENCE });
        await record(step("a", "verified", "queued", { evidence: null }));
        expect((await read()).entries[0]?.evidence).toBeUndefined();
      });

      it("refuses every move that the domain does not know", async () => {
        for (const from of ENTRY_STATES) {
          for (const to of ENTRY_STATES.filter((state) => !entryMayFollow(from, state))) {
            await expect(record(step("a", from, to)), `${from} to ${to}`).rejects.toMatchObject(
              conflict,
            );
          }
        }
      });

      it("lets a batch land together, and no second batch of the same base", async () => {
        const batchOf = (batch: string, place: number) => ({ batch: batchId(batch), place });
        const verified = (id: string, seat: ReturnType<typeof batchOf>): readonly Change[] => [
          step(id, "queued", "verifying", seat),
          step(id, "verifying", "verified"),
        ];
        await record(entry("a", 1), entry("b", 2), entry("c", 3), entry("d", 4, "next"));
        await record(...verified("a", batchOf("one", 0)), ...verified("b", batchOf("one", 1)));
        await record(...verified("c", batchOf("two", 0)), ...verified("d", batchOf("three", 0)));
        await record(step("a", "verified", "landing"), step("b", "verified", "landing"));
        await expect(record(step("c", "verified", "landing"))).rejects.toMatchObject(conflict);
        await record(step("d", "verified", "landing"));
      });

      it("refuses a second open entry of a pull request", async () => {
        await record(entry("a", 1));
        await expect(record(entry("b", 1))).rejects.toMatchObject(conflict);
        await record(step("a", "queued", "superseded"), entry("b", 1));
      });

      it("refuses an entry that is not queued", async () => {
        const verified = given.anEntry({ state: "verified" });
        await expect(record({ kind: "entry-added", entry: verified })).rejects.toMatchObject(
          conflict,
        );
      });
    });

    describe("intents", () => {
      const opened: Change = { kind: "intent-opened", intent: given.anIntent() };
      const settled: Change = {
        kind: "intent-closed",
        key: "push:run-1",
        result: "pushed",
        at: later(1),
      };

      it("remembers an intent until it is settled", async () => {
        await record(opened);
        expect((await read()).intents).toEqual([given.anIntent()]);
        await record(settled);
        expect((await read()).intents).toEqual([]);
      });

      it("refuses to open one twice and to settle one that is not open", async () => {
        await expect(record(settled)).rejects.toMatchObject(conflict);
        await record(opened);
        await expect(record(opened)).rejects.toMatchObject(conflict);
        await record(settled, opened);
      });
    });

    describe("readRepo", () => {
      it("forgets what landed more than a day ago, with its runs and entries", async () => {
        const closed: Change = { kind: "entry-added", entry: given.anEntry() };
        await record(added(given.aTask()), queued(runId("a"), 1), finished(runId("a")), closed);
        await record(step("entry-1", "queued", "landed"), moved("waiting", "landed"));
        now = later(5 + 24 * HOUR_MS);
        const { tasks, runs, entries } = await read();
        expect([tasks.length, runs.length, entries.length]).toEqual([1, 1, 1]);
        now = later(6 + 24 * HOUR_MS);
        expect(await read()).toEqual(given.aMemory());
      });

      it("forgets what was cancelled after a day and what was given up after thirty", async () => {
        const cancelled = given.aTask({ issue: 8, state: "cancelled" });
        await record(added(given.aTask({ state: "failed" })), added(cancelled));
        const statesAt = async (days: number) => {
          now = later(days * 24 * HOUR_MS);
          return (await read()).tasks.map((task) => task.state);
        };
        expect(await statesAt(0.9)).toEqual(["failed", "cancelled"]);
        expect(await statesAt(29)).toEqual(["failed"]);
        expect(await statesAt(31)).toEqual([]);
        expect(await store.tasks([cancelled.id, taskId("none")])).toEqual([cancelled]);
      });

      it("remembers for ever what is open, and work that has not ended", async () => {
        const landed = given.aTask({ issue: 9, state: "landed" });
        await record(added(given.aTask({ state: "blocked" })), added(landed));
        const run = given.aRun({ task: landed.id });
        const entry = given.anEntry({ task: landed.id });
        await record({ kind: "run-queued", run }, { kind: "entry-added", entry });
        now = later(1000 * 24 * HOUR_MS);
        const { tasks, runs, entries } = await read();
        expect(tasks.map((task) => task.state)).toEqual(["blocked"]);
        expect([runs, entries]).toEqual([[run], [entry]]);
      });

      it("keeps repositories apart", async () => {
        await record(added(given.aTask()), { kind: "intent-opened", intent: given.anIntent() });
        expect(await store.readRepo(OTHER_REPO)).toEqual(given.aMemory());
      });
    });

    describe("taskStates", () => {
      it("knows tasks of any age and repository, and leaves out unknown ones", async () => {
        const many = Array.from({ length: 1200 }, (_, i) => given.aTask({ issue: i + 1 }));
        await record(...many.map((task) => added({ ...task, state: "landed" })));
        await store.record(OTHER_REPO, [added(given.aTask({ repo: OTHER_REPO }))]);
        now = later(1000 * 24 * HOUR_MS);
        const ids = [...many.map((task) => task.id), taskId("octo/other#1"), taskId("none")];
        const states = await store.taskStates(ids);
        expect(states.size).toBe(1201);
        expect(states.get(taskId("octo/app#1200"))).toBe("landed");
        expect(states.get(taskId("octo/other#1"))).toBe("waiting");
      });
    });

    describe("events", () => {
      it("lists what happened after a point, in order, up to the limit", async () => {
        await record(added(given.aTask()), moved("waiting", "running"));
        await store.record(OTHER_REPO, [added(given.aTask({ repo: OTHER_REPO }))]);
        const [first, second, third, ...rest] = await store.events(0, 100);
        expect(first).toMatchObject({ seq: 1, repo: REPO, subject: TASK, at: NOW });
        expect(second).toMatchObject({ seq: 2, at: later(5) });
        expect(second?.change).toEqual(moved("waiting", "running"));
        expect(third).toMatchObject({ seq: 3, repo: OTHER_REPO, subject: "octo/other#1" });
        expect(rest).toEqual([]);
        expect(await store.events(1, 1)).toEqual([second]);
      });

      it("chains them, so that a changed, removed or added one is found", async () => {
        await record(added(given.aTask()), moved("waiting", "running"), moved("running", "failed"));
        const events = await store.events(0, 100);
        const [first, second, third] = [events[0]!, events[1]!, events[2]!];
        expect(brokenLink(events)).toBeUndefined();
        expect(brokenLink([third], second)).toBeUndefined();
        expect(brokenLink([first, { ...second, at: later(6) }, third])?.seq).toBe(2);
        expect(brokenLink([first, third])?.seq).toBe(3);
        expect(brokenLink([first, second, { ...second, seq: 3 }])?.seq).toBe(3);
      });
    });
  });
}
