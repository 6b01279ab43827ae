import { afterEach, describe, expect, it } from "vitest";
import type { QueueChanged } from "../../src/ports/pool-events.ts";
import { further } from "../support/further.ts";
import { AGENT_RUNNER } from "../support/world-options.ts";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

const TEN = Array.from({ length: 10 }, (_, at) => `t${at}`);

/** Every agent waits until it is let go. */
function held(ids: readonly string[]) {
  return ids.map((id) => ({
    id,
    files: [`src/${id}.txt`],
    script: { waitFor: [`${id}.go`], writes: { [`src/${id}.txt`]: `${id}\n` } },
  }));
}

async function started(): Promise<readonly string[]> {
  return (await world.journal()).flatMap(({ id, what }) => (what === "started" ? [id] : []));
}

describe("the pool", () => {
  it("keeps 3 slots busy with 10 tasks until fewer tasks than slots remain", async () => {
    world = await World.create({ operator: { slots: 3 } });
    const heard: QueueChanged[] = [];
    world.app.pool.subscribe((event) => heard.push(event));
    await world.addTasks(held(TEN));
    world.moveToReady(...TEN);
    for (let ended = 0; ended < TEN.length; ended += 1) {
      const expected = Math.min(TEN.length, ended + 3);
      await world.until(`${expected} started`, async () => (await started()).length === expected);
      const next = (await started())[ended];
      await world.signalAgents(`${next}.go`);
    }
    await world.untilColumn("In review", ...TEN);
    await world.settle();

    const lines = await world.journal();
    let running = 0;
    const most = Math.max(...lines.map(({ what }) => (running += what === "started" ? 1 : -1)));
    expect(most).toBe(3);
    expect(heard.every(({ busy }) => busy <= 3)).toBe(true);
    expect(heard.at(-1)).toMatchObject({ runner: "agent", waiting: 0, busy: 0 });
    expect(Math.max(...heard.map(({ waiting }) => waiting))).toBe(7);
  });
});

describe("a provider's limit", () => {
  const soon = (ms: number): string => new Date(Date.now() + ms).toISOString();

  it("pauses the runner for all its tasks, costs no attempt and survives a restart", async () => {
    world = await World.create({ repository: { limits: { attempts: 1 } } });
    const until = soon(3_600_000);
    const script = { limitedUntil: until };
    await world.addTasks([
      { id: "first", files: ["src/1.txt"], script },
      { id: "second", files: ["src/2.txt"] },
    ]);
    world.moveToReady("first");
    await world.until("first is limited", async () => (await started()).length === 1);
    await world.settle();
    world.moveToReady("second");
    await world.settle();
    expect(world.comments("second")[0]).toMatch(/agent is paused until .* UTC/);

    await world.stopApp();
    await world.startApp();
    await world.settle();
    expect(await started()).toEqual(["first"]);
    expect(await world.taskState("first")).toBe("waiting");
  });

  further("ends by itself", async () => {
    world = await World.create({
      operator: { rest: { first: "500ms" } },
      repository: { limits: { attempts: 1 } },
    });
    const script = { limitedUntil: soon(3000), limitedAttempts: 1, writes: { "src/1.txt": "x" } };
    await world.addTask({ id: "patient", files: ["src/1.txt"], script });
    world.moveToReady("patient");
    await world.untilColumn("In review", "patient");
    expect(await world.attemptsOf("patient")).toEqual([1, 2]);
  });

  it("lets the fallback take over at once, and says so", async () => {
    world = await World.create({
      operator: {
        runners: { broke: { ...AGENT_RUNNER, fallback: ["agent"] }, agent: AGENT_RUNNER },
      },
      repository: { limits: { attempts: 1 } },
    });
    await world.addTask({
      id: "moved",
      files: ["src/moved.txt"],
      script: {
        limitedUntil: soon(3_600_000),
        limitedAttempts: 1,
        writes: { "src/moved.txt": "x" },
      },
    });
    world.moveToReady("moved");
    await world.untilColumn("In review", "moved");
    expect(await world.attemptsOf("moved")).toEqual([1, 2]);
    const reasons = (await world.app.store.events(0, 1000)).flatMap(({ change }) =>
      change.kind === "task-moved" ? [change.reason] : [],
    );
    expect(reasons).toContainEqual(expect.stringMatching(/^broke is paused.*: agent takes it$/));
  });
});
