import { afterEach, describe, expect, it } from "vitest";
import { further } from "../support/further.ts";
import { World } from "../support/world.ts";

/** As pino numbers it. */
const WARN = 40;

let world: World;
afterEach(() => world.close());

/** Guids of the deliveries of an event that GitHub made, newest last. */
function guids(event: string): readonly string[] {
  return world.github.world.deliveries.filter((one) => one.event === event).map(({ guid }) => guid);
}

function reads(): number {
  return world.observer.answers("GET /app/hook/deliveries/{delivery_id}").length;
}

/** How each look was answered. */
function looks(): readonly number[] {
  return world.observer.answers("GET /app/hook/deliveries");
}

async function isKnown(guid: string): Promise<boolean> {
  return (await world.app.store.knownSignals([guid])).has(guid);
}

async function restart(): Promise<void> {
  await world.stopApp();
  await world.startApp();
  await world.settle();
}

describe("a missed delivery", () => {
  it("of a card moved while the app was down is a signal after the start", async () => {
    world = await World.create();
    await world.addTask({ id: "one", files: ["src/one.txt"] });
    await world.settle();
    await world.stopApp();
    world.moveToReady("one");
    await world.github.deliverySettled();
    const [guid = ""] = guids("projects_v2_item").slice(-1);
    await world.startApp();
    await world.until("the signal is there", () => isKnown(guid));
    await world.untilColumn("In review", "one");
  });

  it("is found by the periodic look, once, and wakes the repository", async () => {
    world = await World.create({ operator: { deliveriesEvery: "100ms", reconcileEvery: "1h" } });
    await world.settle();
    world.github.faults.webhooks.lose = 1;
    await world.addTask({ id: "one", files: ["src/one.txt"] });
    world.moveToReady("one");
    world.github.faults.clear();
    const [guid = ""] = guids("projects_v2_item").slice(-1);
    await world.until("the signal is there", () => isKnown(guid));
    await world.untilColumn("In review", "one");
    const readUntilNow = reads();
    expect(readUntilNow).toBeGreaterThan(0);
    const looksUntilNow = looks().length;
    await world.until("it looked again", () => looks().length >= looksUntilNow + 3);
    expect(reads()).toBe(readUntilNow);
    const taken = await world.app.store.events(0, 1000);
    expect(taken.filter(({ change }) => change.kind === "task-added")).toHaveLength(1);
  });

  it("costs a line in the log and nothing else when GitHub refuses to list any", async () => {
    const warnings: string[] = [];
    world = await World.create({
      startApp: false,
      operator: { deliveriesEvery: "100ms" },
      onLog: ({ level, msg }) => {
        if (level >= WARN) warnings.push(msg);
      },
    });
    world.github.faults.answer({
      matches: ({ route }) => route === "/app/hook/deliveries",
      status: 403,
      message: "Resource not accessible by integration",
      times: 1000,
    });
    await world.startApp();
    await world.addTask({ id: "one", files: ["src/one.txt"] });
    world.moveToReady("one");
    await world.untilColumn("In review", "one");
    await world.until("it was refused five times", () => looks().length >= 5);
    expect(new Set(looks())).toEqual(new Set([403]));
    // The first is said of the tests' world, which has no sandbox.
    expect(warnings).toEqual(["runners have no sandbox", "periodic task failed"]);
    expect(world.observer.answers("GET /app/hook/deliveries/{delivery_id}")).toEqual([]);
  });
});

describe("a look for missed deliveries", () => {
  it("reads no delivery that arrived, and asks once when nothing came since", async () => {
    world = await World.create({ operator: { deliveriesEvery: "100ms", reconcileEvery: "1h" } });
    await world.addTask({ id: "one", files: ["src/one.txt"] });
    await world.settle();
    const before = { looks: looks().length, reads: reads() };
    await world.addTask({ id: "two", files: ["src/two.txt"] });
    await world.settle();
    await world.until("it looked five times", () => looks().length >= before.looks + 5);
    expect(reads()).toBe(before.reads);
    expect(looks().slice(-3)).toEqual([304, 304, 304]);
  });

  further(
    "finds where the last one ended among hundreds, although ids are beyond 2^53",
    async () => {
      world = await World.create({ strict: true });
      await world.settle();
      const { id } = world.github.world.deliveries.at(-1) ?? { id: 0n };
      for (let count = 0; count < 250; count += 1) {
        world.github.as("ann").openIssue({ repo: world.repository, title: `Talk ${count}` });
      }
      await world.settle();
      expect(id).toBeGreaterThan(2n ** 53n);
      expect(world.github.world.deliveries.length).toBeGreaterThan(250);
      await restart();
      const until = { looks: looks().length, reads: reads() };
      await restart();
      expect(looks().length - until.looks).toBe(1);
      expect(reads()).toBe(until.reads);
    },
  );
});
