import { beforeEach, describe, expect, it } from "vitest";
import { BackgroundWork } from "../../src/app/background-work.ts";
import { createNotices } from "../../src/app/notices.ts";
import { PassMemory } from "../../src/app/pass.ts";
import { NO_DEPENDENCIES } from "../../src/board/phases.ts";
import { operatorConfigSchema } from "../../src/config/schema/operator-config.ts";
import type { Change } from "../../src/domain/change.ts";
import type { Deps } from "../../src/ports/deps.ts";
import type { Workspace } from "../../src/ports/git.ts";
import { createFinishingRoom } from "../../src/runner/finishing-room.ts";
import { createPoolEvents } from "../../src/scheduler/slots/pool-events.ts";
import { tick } from "../../src/scheduler/tick.ts";
import { aConfig } from "../support/a-config.ts";
import { REPO, aHold, aReading, aRun, aTask, shaOf } from "../support/builders.ts";
import { deferred } from "../support/deferred.ts";
import { TestClock } from "../support/test-clock.ts";
import { TestLog } from "../support/test-log.ts";
import { useStore } from "../support/use-store.ts";

const CONTEXT = { repo: REPO, base: "main", config: aConfig() };
const MINUTE_MS = 60_000;
const TASK = aTask({ state: "running", attempts: 1 });
const WORKSPACE: Workspace = {
  repo: REPO,
  id: aRun().id,
  place: "1",
  path: "/work",
  base: shaOf(1),
};
const STARTED: readonly Change[] = [
  { kind: "task-added", task: TASK },
  { kind: "run-queued", run: aRun() },
  { kind: "claims-taken", hold: aHold() },
];

let clock = new TestClock();
const store = useStore(() => clock.now());
let log: TestLog;
let deps: Deps;
let activities: BackgroundWork;
let opened: ReturnType<typeof deferred<Workspace>>;
let rescued: Workspace[];

beforeEach(async () => {
  clock = new TestClock();
  log = new TestLog();
  opened = deferred();
  rescued = [];
  const operator = operatorConfigSchema.parse({ runners: { agent: { command: "agent" } } });
  const git = {
    fetchBranch: () => Promise.resolve(shaOf(1)),
    openWorkspace: () => opened.promise,
    rescueWorkspace: (workspace: Workspace) => Promise.resolve(rescued.push(workspace)),
    closeWorkspace: () => Promise.resolve(),
  };
  const host = {
    logPath: () => "/log",
    random: () => 0,
    listHomes: () => Promise.resolve([]),
    environment: {},
    availableMemory: () => Promise.resolve(Infinity),
    freeDiskBytes: () => Promise.resolve(Infinity),
  };
  activities = new BackgroundWork(() => deps);
  deps = {
    clock,
    log,
    operator,
    git,
    host,
    store: store(),
    background: activities,
    pool: createPoolEvents(log),
    finishing: createFinishingRoom(2, clock),
    notices: createNotices(log),
    wake: () => undefined,
  } as unknown as Deps;
  await store().record(REPO, STARTED);
  activities.startRun(CONTEXT, aRun());
  await clock.settle();
});

describe("a run under way", () => {
  it("is kept alive for as long as it takes", async () => {
    await clock.advance(60 * MINUTE_MS);
    const [run] = (await store().readRepo(REPO)).runs;
    expect(clock.now() - (run?.heartbeatAt ?? 0)).toBeLessThanOrEqual(MINUTE_MS / 2);
    await giveUp();
    await finish();
  });

  it("that was given up writes nothing more, and its work is rescued", async () => {
    await giveUp();
    const before = await store().events(0, 100);
    await finish();
    expect(await store().events(0, 100)).toEqual(before);
    expect(rescued).toEqual([WORKSPACE]);
    expect(log.seen.at(-1)).toBe("result overtaken");
    expect((await store().readRepo(REPO)).tasks[0]?.state).toBe("waiting");
  });

  it("that was silent for too long is queued again by the next tick, although it is at work", async () => {
    clock.jump(6 * MINUTE_MS);
    const seen = { reading: aReading(), wave: [], directories: new Set<string>() };
    const idle = { ...CONTEXT, config: aConfig({ runner: "nobody" }) };
    const stored = new PassMemory(() => store().readRepo(REPO));
    await tick(idle, { ...seen, dependencies: NO_DEPENDENCIES, stored }, deps);
    const { runs, tasks, holds } = await store().readRepo(REPO);
    expect(runs[0]).toMatchObject({ state: "finished", outcome: { kind: "lost" } });
    expect([tasks[0]?.state, holds]).toEqual(["waiting", []]);
    await finish();
    expect(log.seen.at(-1)).toBe("result overtaken");
  });
});

async function giveUp(): Promise<void> {
  const reason = "given up";
  const at = clock.now();
  await store().record(REPO, [
    { kind: "run-finished", run: aRun().id, outcome: { kind: "lost", reason }, at },
    { kind: "task-moved", task: TASK.id, from: "running", to: "waiting", reason, at, set: {} },
  ]);
}

async function finish(): Promise<void> {
  opened.resolve(WORKSPACE);
  await activities.stop("the test is over");
}
