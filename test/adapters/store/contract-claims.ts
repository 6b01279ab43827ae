import { beforeEach, describe, expect, it } from "vitest";
import type { Change } from "../../../src/domain/change.ts";
import { runId, taskIdOf } from "../../../src/domain/ids.ts";
import type { ClaimHold } from "../../../src/domain/task.ts";
import type { Proof, Store } from "../../../src/ports/store.ts";
import { NOW, OTHER_REPO, REPO } from "../../support/builders.ts";
import * as given from "../../support/builders.ts";
import { TASK, added, finished, later, moved, queued, started } from "./changes.ts";

const conflict = { name: "AppError", code: "store-conflict" };
const fenced = { name: "AppError", code: "store-fenced" };
const SECOND = taskIdOf(REPO, 2);
const MINUTE_MS = 60_000;

/** A store in a test, and its clock. */
export interface UnderTest {
  store(): Store;
  at(ms: number): void;
}

function taken(members: Partial<ClaimHold> = {}): Change {
  return { kind: "claims-taken", hold: given.aHold(members) };
}

function extended(members: Partial<Extract<Change, { kind: "claims-extended" }>> = {}): Change {
  return {
    kind: "claims-extended",
    task: TASK,
    run: given.aRun().id,
    fence: 1,
    next: 2,
    at: later(2),
    add: [{ mode: "write", pattern: "src/extra.ts" }],
    ...members,
  };
}

/** The start of a task's run, as the scheduler writes it. */
function start(issue: number, fence: number): readonly Change[] {
  const task = taskIdOf(REPO, issue);
  const id = runId(`run-${issue}`);
  return [
    { kind: "run-queued", run: given.aRun({ id, task }) },
    { ...moved("waiting", "running"), task },
    taken({ task, run: id, fence }),
  ];
}

export function describeClaims(use: UnderTest): void {
  const record = (...changes: readonly Change[]) => use.store().record(REPO, changes);
  const read = () => use.store().readRepo(REPO);

  describe("claims", () => {
    beforeEach(() => record(added(given.aTask()), added(given.aTask({ issue: 2 }))));

    it("are held from the start, in the order of their taking", async () => {
      await record(...start(2, 1), ...start(1, 2));
      const { holds, fence } = await read();
      expect(holds).toEqual([
        given.aHold({ task: SECOND, run: runId("run-2") }),
        given.aHold({ fence: 2 }),
      ]);
      expect(fence).toBe(2);
    });

    it.each([0, 1, 3])("are refused under number %i when the last one was 1", async (fence) => {
      await record(...start(1, 1));
      await expect(record(...start(2, fence))).rejects.toMatchObject(conflict);
      expect((await read()).holds).toHaveLength(1);
      await record(...start(2, 2));
    });

    it.each([0, 2])("are refused under number %i when none was taken yet", async (fence) => {
      await expect(record(...start(1, fence))).rejects.toMatchObject(conflict);
      expect((await read()).fence).toBe(0);
    });

    it("go to one of many who planned by the same reading", async () => {
      const rivals = [1, 2].flatMap((issue) =>
        Array.from({ length: 8 }, () => record(...start(issue, 1))),
      );
      const results = await Promise.allSettled(rivals);
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect((await read()).holds).toHaveLength(1);
    });

    it("count for each repository by itself", async () => {
      await record(...start(1, 1));
      const task = given.aTask({ repo: OTHER_REPO, state: "running" });
      const run = given.aRun({ id: runId("other"), task: task.id });
      const changes = [added(task), { kind: "run-queued", run } as const];
      await use.store().record(OTHER_REPO, [...changes, taken({ task: task.id, run: run.id })]);
      expect((await use.store().readRepo(OTHER_REPO)).fence).toBe(1);
    });

    it("cannot be taken twice by a task", async () => {
      await record(...start(1, 1), queued(runId("again"), 2));
      const again = taken({ run: runId("again"), fence: 2 });
      await expect(record(again)).rejects.toMatchObject(conflict);
    });

    it("cannot be taken by a task that is not at work", async () => {
      await record(queued(runId("run-1"), 1));
      await expect(record(taken())).rejects.toMatchObject(conflict);
    });

    it("cannot be taken for a run that is another task's, has begun or is unknown", async () => {
      await record(moved("waiting", "running"), queued(runId("run-1"), 1));
      await record({ ...moved("waiting", "running"), task: SECOND });
      await expect(record(taken({ task: SECOND }))).rejects.toMatchObject(conflict);
      await expect(record(taken({ run: runId("none") }))).rejects.toMatchObject(conflict);
      await record(started(runId("run-1")));
      await expect(record(taken())).rejects.toMatchObject(conflict);
    });

    it("cannot be taken or extended under the name of another repository", async () => {
      const other = (change: Change) => use.store().record(OTHER_REPO, [change]);
      await record(moved("waiting", "running"), queued(runId("run-1"), 1));
      await expect(other(taken())).rejects.toMatchObject(conflict);
      await record(taken());
      await expect(other(extended({ next: 1 }))).rejects.toMatchObject(conflict);
    });

    it.each(["review", "queued"] as const)("stay when the task goes on to %s", async (to) => {
      await record(...start(1, 1), finished(runId("run-1")), moved("running", to));
      expect((await read()).holds).toEqual([given.aHold()]);
    });

    it.each(["waiting", "failed", "cancelled"] as const)(
      "are let go when the task is %s, and the next taking has a higher number",
      async (to) => {
        await record(...start(1, 1), finished(runId("run-1")), moved("running", to));
        const { holds, fence } = await read();
        expect([holds, fence]).toEqual([[], 1]);
        await expect(record(...start(2, 1))).rejects.toMatchObject(conflict);
        await record(...start(2, 2));
      },
    );

    it("are let go when the task lands", async () => {
      await record(...start(1, 1), finished(runId("run-1")));
      await record(moved("running", "review"), moved("review", "landed"));
      expect((await read()).holds).toEqual([]);
    });

    describe("that are extended", () => {
      beforeEach(() => record(...start(1, 1)));

      it("keep their number and are known to whoever plans next", async () => {
        await record(extended());
        const { holds, fence } = await read();
        const claims = [...given.aSpec().claims, { mode: "write", pattern: "src/extra.ts" }];
        expect([holds, fence]).toEqual([[given.aHold({ claims: claims as never })], 2]);
        await expect(record(...start(2, 2))).rejects.toMatchObject(conflict);
        await record(...start(2, 3));
      });

      it("hold a claim once", async () => {
        await record(extended(), extended({ next: 3 }));
        expect((await read()).holds[0]?.claims).toHaveLength(2);
      });

      it.each([
        ["a run that does not hold them", { run: runId("other") }],
        ["a task that holds none", { task: SECOND }],
        ["a hold of another number", { fence: 2 }],
        ["a planner that missed another taking", { next: 1 }],
        ["a planner from the future", { next: 3 }],
      ])("are refused for %s", async (_, members) => {
        await expect(record(extended(members))).rejects.toMatchObject(conflict);
        expect((await read()).holds).toEqual([given.aHold()]);
      });

      it("are refused once they are let go", async () => {
        await record(finished(runId("run-1")), moved("running", "waiting"));
        await expect(record(extended())).rejects.toMatchObject(conflict);
      });
    });
  });

  describe("a write by the right of a run", () => {
    const proof: Proof = { kind: "run", run: runId("run-1"), fence: 1 };
    const write = (by: Proof = proof) =>
      use
        .store()
        .record(
          REPO,
          [{ kind: "task-explained", task: TASK, reason: "r", wave: 1, at: later(1) }],
          by,
        );
    beforeEach(() => record(added(given.aTask()), ...start(1, 1)));

    it("is accepted from its queueing to its end", async () => {
      await write();
      await use.store().record(REPO, [started(runId("run-1"))], proof);
      await use.store().record(REPO, [finished(runId("run-1")), moved("running", "review")], proof);
      await expect(write()).rejects.toMatchObject(fenced);
      expect((await read()).tasks[0]?.state).toBe("review");
    });

    it("is refused under another number, or for a run that is not known", async () => {
      await expect(write({ ...proof, fence: 2 })).rejects.toMatchObject(fenced);
      await expect(write({ ...proof, run: runId("none") })).rejects.toMatchObject(fenced);
      expect((await read()).tasks[0]?.wave).toBeUndefined();
    });

    it("is refused once the task was given to another run", async () => {
      await record(finished(runId("run-1")), moved("running", "waiting"));
      const again = runId("run-1b");
      await record(queued(again, 2), moved("waiting", "running"), taken({ run: again, fence: 2 }));
      await expect(write()).rejects.toMatchObject(fenced);
      await write({ kind: "run", run: again, fence: 2 });
    });

    it("is refused after 5 minutes of silence, whether or not anyone noticed", async () => {
      use.at(NOW + 5 * MINUTE_MS);
      await write();
      use.at(NOW + 5 * MINUTE_MS + 1);
      await expect(write()).rejects.toMatchObject(fenced);
      await use.store().heartbeat(runId("run-1"), later(5 * MINUTE_MS));
      await write();
    });

    it("leaves nothing of a refused batch, and checks even an empty one", async () => {
      const bad = { ...proof, fence: 9 };
      await expect(use.store().record(REPO, [], bad)).rejects.toMatchObject(fenced);
      await use.store().record(REPO, [], proof);
    });
  });
}
