import { beforeEach, describe, expect, it } from "vitest";
import { runId, taskIdOf } from "../../src/domain/ids.ts";
import type { Deps } from "../../src/ports/deps.ts";
import type { SchedulerAction } from "../../src/scheduler/decide.ts";
import { apply } from "../../src/scheduler/tick.ts";
import { aConfig } from "../support/a-config.ts";
import { NOW, REPO, aHold, aRun, aTask } from "../support/builders.ts";
import { TestLog } from "../support/test-log.ts";
import { useStore } from "../support/use-store.ts";

const CONTEXT = { repo: REPO, base: "main", config: aConfig() };
const store = useStore(() => NOW);
let log: TestLog;
let deps: Deps;
let events: string[];

beforeEach(async () => {
  log = new TestLog();
  events = [];
  const background = { startRun: (_: unknown, run: { id: string }) => events.push(run.id) };
  const wake = () => events.push("wake");
  deps = { log, store: store(), background, wake } as unknown as Deps;
  const tasks = [1, 2, 3].map((issue) => aTask({ issue, state: "running" }));
  await store().record(
    REPO,
    tasks.map((task) => ({ kind: "task-added", task })),
  );
});

function start(issue: number, fence: number): Extract<SchedulerAction, { kind: "start-run" }> {
  const task = taskIdOf(REPO, issue);
  const run = aRun({ id: runId(`run-${issue}`), task });
  const hold = aHold({ task, run: run.id, fence });
  const changes = [
    { kind: "run-queued", run },
    { kind: "claims-taken", hold },
  ] as const;
  return { kind: "start-run", run, changes };
}

describe("apply", () => {
  it("starts what has got its claims", async () => {
    await apply([start(1, 1), start(2, 2)], CONTEXT, deps);
    expect(events).toEqual(["run-1", "run-2"]);
  });

  it("starts nothing more of a plan that was overtaken, and plans again", async () => {
    await store().record(REPO, start(3, 1).changes);
    await apply([start(1, 1), start(2, 2)], CONTEXT, deps);
    expect(events).toEqual(["wake"]);
    expect(log.seen).toEqual(["start overtaken"]);
    expect((await store().readRepo(REPO)).runs).toHaveLength(1);
  });

  it("does not take another failure for an overtaking", async () => {
    deps = { ...deps, store: { record: () => Promise.reject(new Error("a bug")) } as never };
    await expect(apply([start(1, 1)], CONTEXT, deps)).rejects.toThrow("a bug");
  });
});
