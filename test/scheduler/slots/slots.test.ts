import { describe, expect, it } from "vitest";
import { taskId } from "../../../src/domain/ids.ts";
import { SlotLedger } from "../../../src/planner/starts/slot-ledger.ts";
import { freeSlots } from "../../../src/scheduler/slots/slots.ts";
import type { SlotUse } from "../../../src/scheduler/slots/slots.ts";
import { buildTask } from "../../planner/build-task.ts";
import { aConfig } from "../../support/a-config.ts";
import { NOW, aRun, aSpec, aTask } from "../../support/builders.ts";
import { aRunner, someLimits } from "../../support/pool.ts";

const LIMITS = someLimits({
  runners: { claude: aRunner({ slots: 2 }), codex: aRunner({ slots: 1 }) },
  defaultRunner: "claude",
  overall: 3,
});

function use(members: Partial<SlotUse> = {}): SlotUse {
  return {
    now: NOW,
    running: [],
    recent: [],
    tasks: [],
    runs: [],
    availableMemory: Infinity,
    ...members,
  };
}

const PARENT = taskId("octo/app#9");

function child(issue: number, state: "running" | "waiting") {
  return aTask({ issue, state, spec: aSpec({ parent: PARENT }) });
}

describe("freeSlots", () => {
  it("leaves everything when nothing runs", () => {
    const free = freeSlots(aConfig(), LIMITS, use());
    expect(free).toMatchObject({
      overall: 3,
      repository: 4,
      runners: new Map([
        ["claude", 2],
        ["codex", 1],
      ]),
      defaultRunner: "claude",
      parents: new Map(),
    });
  });

  it("counts runs of other repositories against the host and the runner, not against the repository", () => {
    const running = [aRun({ runner: "claude" }), aRun({ runner: "codex" })];
    expect(freeSlots(aConfig(), LIMITS, use({ running }))).toMatchObject({
      overall: 1,
      repository: 4,
      runners: new Map([
        ["claude", 1],
        ["codex", 0],
      ]),
    });
  });

  it("counts this repository's runs alone against the repository", () => {
    const runs = [aRun(), aRun({ state: "finished" })];
    expect(freeSlots(aConfig(), LIMITS, use({ runs })).repository).toBe(3);
  });

  it("gives a slot back when the agent has ended, whatever is left to do of the run", () => {
    const runs = [aRun({ runner: "claude" }), aRun({ runner: "claude", agentEndedAt: NOW })];
    expect(freeSlots(aConfig(), LIMITS, use({ runs, running: runs }))).toMatchObject({
      overall: 2,
      repository: 3,
      runners: new Map([
        ["claude", 1],
        ["codex", 1],
      ]),
    });
  });

  it("lacks a slot of the server, not one for the repository, where the repository may have them all", () => {
    const config = aConfig({ limits: { parallel: LIMITS.overall } });
    const runs = Array.from({ length: LIMITS.overall }, () => aRun());
    const running = runs.slice(1);
    const free = freeSlots(config, LIMITS, use({ runs, running }));
    expect(new SlotLedger(free).missingFor(buildTask(1))).toEqual({ kind: "overall" });
    const shared = freeSlots(config, { ...LIMITS, shared: true }, use({ runs, running }));
    expect(new SlotLedger(shared).missingFor(buildTask(1))).toEqual({ kind: "repository" });
  });

  it("prefers the repository's runner to the operator's", () => {
    const config = aConfig({ runner: "codex" });
    expect(freeSlots(config, LIMITS, use()).defaultRunner).toBe("codex");
  });

  it("pauses every runner for a minute at a time while the disk is nearly full", () => {
    const pause = { until: NOW + 60_000, because: "the disk is nearly full" };
    expect(freeSlots(aConfig(), LIMITS, use({ diskShort: true })).pausedRunners).toEqual(
      new Map([
        ["claude", pause],
        ["codex", pause],
      ]),
    );
  });

  it("ignores a run of a runner that is no longer configured, except for the host", () => {
    const running = [aRun({ runner: "gone" })];
    const free = freeSlots(aConfig(), LIMITS, use({ running }));
    expect(free.overall).toBe(2);
    expect(free.runners?.has("gone")).toBe(false);
  });

  it("limits the running subtasks of one parent when the repository says so", () => {
    const config = aConfig({ limits: { perParent: 2 } });
    const tasks = [child(1, "running"), child(2, "waiting"), aTask({ issue: 3, state: "running" })];
    const runs = tasks.map(({ id: task }) => aRun({ task })).filter((_, at) => at !== 1);
    expect(freeSlots(config, LIMITS, use({ tasks, runs })).parents).toEqual(new Map([[PARENT, 1]]));
  });

  it("has no limit for parents unless the repository sets one", () => {
    const free = freeSlots(aConfig(), LIMITS, use({ tasks: [child(1, "running")] }));
    expect(free.parents).toEqual(new Map());
  });
});
