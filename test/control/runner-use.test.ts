import { describe, expect, it } from "vitest";
import { runnerUse } from "../../src/control/runner-use.ts";
import type { RunnersSeen } from "../../src/control/runner-use.ts";
import { instant, runId } from "../../src/domain/ids.ts";
import { NOW, aRun } from "../support/builders.ts";
import { MINUTE_MS, anEndedRun } from "../support/pool.ts";
import { operatorConfigSchema } from "../../src/config/schema/operator-config.ts";

const ago = (minutes: number) => instant(NOW - minutes * MINUTE_MS);

function seen(slots: number, members: Partial<RunnersSeen> = {}, store = {}) {
  const runners = {
    claude: { command: "claude", slots: 4 },
    codex: { command: "codex", slots: 2 },
  };
  const operator = operatorConfigSchema.parse({ runners, slots, store, sandbox: "none" });
  const nothing = { running: [], recent: [], queues: new Map() };
  return runnerUse({ operator, hostName: "north", now: NOW, ...nothing, ...members });
}

describe("runnerUse", () => {
  it("counts what waits and works, and leaves out runs whose agent has ended", () => {
    const running = [
      aRun({ id: runId("a"), runner: "claude", state: "running", startedAt: ago(30) }),
      aRun({ id: runId("b"), runner: "claude", state: "running", agentEndedAt: ago(1) }),
      aRun({ id: runId("c"), runner: "codex", state: "queued" }),
    ];
    const queues = new Map([["codex", { waiting: 3 }]]);
    expect(seen(6, { running, queues })).toMatchObject([
      { name: "claude", slots: 4, waiting: 0, busy: 1, free: 3, utilization: 0.125 },
      { name: "codex", slots: 2, waiting: 3, busy: 1, free: 1, utilization: 0 },
    ]);
  });

  it("calls no slot free that the server's own limit keeps from being used", () => {
    const running = [aRun({ runner: "claude", state: "running", startedAt: ago(60) })];
    expect(seen(1, { running })).toMatchObject([
      { name: "claude", busy: 1, free: 0, utilization: 1 },
      { name: "codex", busy: 0, free: 0 },
    ]);
    expect(seen(0)).toMatchObject([{ free: 0, utilization: 0 }, { free: 0 }]);
  });

  it("takes of the last hour the time that slots were taken here", () => {
    const half = { runner: "codex", startedAt: ago(90), agentEndedAt: ago(30), finishedAt: ago(5) };
    const recent = [
      anEndedRun({ ...half, id: runId("a"), host: "north" }),
      anEndedRun({ ...half, id: runId("b"), host: "south" }),
    ];
    const shared = { url: "postgres://ada@db.example.com/wavetrain" };
    expect(seen(6, { recent }, shared)[1]).toMatchObject({ name: "codex", utilization: 0.25 });
  });

  it("takes all runs for its own where it is alone on its store, whatever it was called then", () => {
    const half = { runner: "codex", startedAt: ago(60), finishedAt: ago(30) };
    const recent = [anEndedRun({ ...half, host: "a container of yesterday" })];
    expect(seen(6, { recent })[1]).toMatchObject({ utilization: 0.25 });
  });
});
