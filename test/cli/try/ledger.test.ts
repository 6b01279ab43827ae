import { beforeEach, describe, expect, it } from "vitest";
import { Ledger } from "../../../src/cli/try/ledger.ts";
import type { Change } from "../../../src/domain/change.ts";
import { levelOn } from "../../../src/domain/explore/next-step.ts";
import { instant, runId } from "../../../src/domain/ids.ts";
import {
  NOW,
  SUCCEEDED,
  aRun,
  aSpec,
  aTask,
  anEntry,
  anExploration,
  anIntent,
  shaOf,
  someEvidence,
} from "../../support/builders.ts";

const TASK = aTask().id;
const RUN = runId("run-1");
const at = (ms: number) => instant(NOW + ms);

let ledger: Ledger;
beforeEach(() => {
  ledger = new Ledger();
});

function add(...changes: readonly Change[]): void {
  for (const change of changes) ledger.add(change);
}

const STARTED: Change = {
  kind: "run-started",
  run: RUN,
  workspace: "/w",
  baseSha: shaOf(1),
  logPath: "/l",
  at: at(1),
};

describe("Ledger", () => {
  it("follows a task through its moves; null clears, what is absent stays", () => {
    add(
      { kind: "task-added", task: aTask({ notBefore: NOW, pull: 11, branch: "b" }) },
      {
        kind: "task-moved",
        task: TASK,
        from: "waiting",
        to: "running",
        reason: "free",
        at: at(5),
        set: { attempts: 1, notBefore: null },
      },
    );
    expect(ledger.tasks.get(TASK)).toEqual(
      aTask({
        state: "running",
        reason: "free",
        attempts: 1,
        pull: 11,
        branch: "b",
        changedAt: at(5),
      }),
    );
  });

  it("keeps the pauses before further attempts", () => {
    const failed = { kind: "task-moved", task: TASK, from: "running", to: "waiting" } as const;
    add(
      { kind: "task-added", task: aTask() },
      { ...failed, reason: "failed", at: at(5), set: { failures: 1, notBefore: at(25) } },
      { ...failed, reason: "failed", at: at(60), set: { failures: 2, notBefore: at(100) } },
    );
    expect(ledger.pauses.get(TASK)).toEqual([20, 40]);
  });

  it("takes over new words and reasons", () => {
    const spec = aSpec({ title: "New" });
    add(
      { kind: "task-added", task: aTask() },
      { kind: "task-respecified", task: TASK, spec, specHash: "2", at: NOW },
      { kind: "task-explained", task: TASK, reason: "later", wave: 3, at: NOW },
    );
    expect(ledger.tasks.get(TASK)).toMatchObject({ spec, specHash: "2", reason: "later", wave: 3 });
  });

  it("has a span for every run that started and ended, in order of their ends", () => {
    const other = runId("run-2");
    add(
      { kind: "run-queued", run: aRun() },
      { kind: "run-queued", run: aRun({ id: other }) },
      { kind: "run-queued", run: aRun({ id: runId("never-started") }) },
      STARTED,
      { ...STARTED, run: other, at: at(2) },
      { kind: "run-finished", run: other, outcome: SUCCEEDED, at: at(3) },
      { kind: "run-finished", run: RUN, outcome: SUCCEEDED, at: at(9) },
      { kind: "run-finished", run: runId("never-started"), outcome: SUCCEEDED, at: at(9) },
    );
    expect(ledger.spans()).toEqual([
      { task: TASK, kind: "run", startedAt: at(2), finishedAt: at(3) },
      { task: TASK, kind: "run", startedAt: at(1), finishedAt: at(9) },
    ]);
  });

  it("has a span for every verification that gave evidence", () => {
    const evidence = someEvidence({ startedAt: at(1), finishedAt: at(4) });
    const moved = { kind: "entry-moved", entry: anEntry().id, reason: "", at: at(4) } as const;
    add(
      { kind: "entry-added", entry: anEntry() },
      { ...moved, from: "queued", to: "verifying", set: {} },
      { ...moved, from: "verifying", to: "verified", set: { evidence } },
      { ...moved, from: "verified", to: "queued", set: { evidence: null } },
    );
    expect(ledger.spans()).toEqual([
      { task: TASK, kind: "verify", startedAt: at(1), finishedAt: at(4) },
    ]);
  });

  it("is stuck once a runner is not logged in and nothing else is under way", () => {
    const outcome = { kind: "not-logged-in", runner: "agent", keys: [], tail: "" } as const;
    add({ kind: "run-queued", run: aRun({ id: RUN, task: TASK }) }, STARTED);
    expect(ledger.isStuck).toBe(false);
    add({ kind: "run-finished", run: RUN, outcome, at: at(9) });
    expect(ledger.isStuck).toBe(true);
    expect(ledger.runs.get(RUN)?.logPath).toBe(STARTED.logPath);
  });

  it("follows an exploration and what becomes of the run that is taken", () => {
    const spec = aSpec({ explore: { ideas: { kind: "ask", count: 2 } } });
    const exploration = anExploration();
    const { plan, id, changedAt: unchangedSince } = exploration;
    const root = { number: 0, commit: shaOf(1) };
    const level = levelOn([root], plan, { depth: 1, after: 0, now: NOW });
    const moved = { kind: "exploration-moved", exploration: id, from: "exploring" } as const;
    add(
      { kind: "task-added", task: aTask({ state: "running", attempts: 1, spec }) },
      { kind: "exploration-opened", exploration },
      { ...moved, to: "exploring", unchangedSince, at: at(1), set: { levels: [level] } },
      { kind: "run-queued", run: aRun() },
      { kind: "run-finished", run: RUN, outcome: SUCCEEDED, at: at(2) },
    );
    expect(ledger.viewOf(TASK)).toMatchObject({
      whereabouts: "exploring",
      why: "level 1 of 2: 1 of 2 evaluations have ended",
    });
    const outcome = {
      kind: "succeeded",
      head: shaOf(8),
      files: [],
      outside: [],
      notes: "",
    } as const;
    add({ kind: "run-rebased", run: RUN, outcome, at: at(3) });
    expect(ledger.runs.get(RUN)?.outcome).toEqual(outcome);
  });

  it("knows the explorations of a task whose events were folded", () => {
    const spec = aSpec({ contenders: 2 });
    const task = aTask({ state: "running", attempts: 1, spec });
    add({
      kind: "task-compacted",
      task,
      runs: [],
      entries: [],
      explorations: [anExploration({ stop: { why: "cancelled by ann", keep: false } })],
      fence: 0,
      replaces: { events: 1, digest: "" },
      at: NOW,
    });
    expect(ledger.viewOf(TASK)?.why).toContain("cancelled by ann; level 1 of 2");
  });

  it("is not upset by what it does not know", () => {
    add(
      STARTED,
      { kind: "task-explained", task: TASK, reason: "", wave: 1, at: NOW },
      { kind: "intent-opened", intent: anIntent() },
      { kind: "intent-closed", key: "x", result: "", at: NOW },
    );
    expect([ledger.tasks.size, ledger.runs.size, ledger.spans().length]).toEqual([0, 0, 0]);
  });
});
