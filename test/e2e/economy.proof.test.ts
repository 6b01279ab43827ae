import { afterEach, describe, expect, it } from "vitest";
import { CallCounter } from "../support/call-counter.ts";
import { further } from "../support/further.ts";
import { HurriedClock } from "../support/hurried-clock.ts";
import { TASK_COST } from "../support/task-cost.ts";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

const LANDED = 8;
const IDLE = 92;

async function boardOf100(counter: CallCounter): Promise<readonly string[]> {
  // The timer's own looks are measured below.
  const operator = { reconcileEvery: "1h", deliveriesEvery: "1h" };
  const repository = { report: { waitingAfter: "10m" } };
  world = await World.create({ strict: false, listener: counter, operator, repository });
  const ids = Array.from({ length: LANDED }, (_, at) => `task-${at}`);
  for (const id of ids) await world.addTask({ id, files: [`src/${id}.txt`] });
  for (let at = 0; at < IDLE; at += 1) await world.addTask({ id: `idle-${at}` });
  return ids;
}

/** Once each: a landing that moves the pull request's branch is nothing to approve again. */
function approveOnce(): void {
  world.github.world.listeners.push((event) => {
    if (event.name !== "pull_request" || event.action !== "opened") return;
    setImmediate(() => world.github.as("bob").approve(event.pull));
  });
}

function show(counter: CallCounter, tasks: number): void {
  if (process.env.SHOW_CALLS === undefined) return;
  const lines = counter.table().map(([name, count]) => `${count / tasks} ${name}`);
  const all = `${counter.total / tasks} in all, ${counter.points / tasks} points`;
  process.stderr.write(`${[all, ...lines].join("\n")}\n`);
}

describe("what the app asks of GitHub", () => {
  it("is at most 10 calls and 4 content writes for each task that lands, on a board of 100 cards", async () => {
    const counter = new CallCounter();
    const ids = await boardOf100(counter);
    await world.settle();
    approveOnce();
    counter.forget();
    world.moveToReady(...ids);
    await world.untilColumn("Done", ...ids);
    await world.settle();
    show(counter, LANDED);

    expect(counter.total / LANDED).toBeLessThanOrEqual(10);
    expect(counter.contentWrites / LANDED).toBeLessThanOrEqual(4);
  });

  it("is at most 14 calls for a task that is alone, on a server that has landed one before", async () => {
    const [counter, clock] = [new CallCounter(), new HurriedClock()];
    world = await World.create({ defaults: true, strict: false, listener: counter, clock });
    const ids = ["first", "alone"];
    for (const id of ids) await world.addTask({ id, files: [`src/${id}.txt`] });
    for (const id of ids) {
      await world.settle();
      // Nothing is left of the first that would be reported together with the second, and no write has to wait.
      clock.skip(2 * 60_000);
      await clock.caughtUp();
      await world.settle();
      counter.forget();
      world.moveToReady(id);
      await world.untilColumn("In review", id);
      await world.settle();
      world.github.as("bob").approve(world.pull(id));
      await world.untilColumn("Done", id);
      await world.settle();
      show(counter, 1);
    }
    const { readings, queries, rest } = TASK_COST;
    expect(readings + queries + rest).toBe(14);
    expect(counter.asInstallation).toBeLessThanOrEqual(readings + queries + rest);
    expect(counter.points).toBeLessThanOrEqual(4 * readings + queries);
    expect(counter.contentWrites).toBeLessThanOrEqual(rest);
  });

  further(
    "is asked for again in halves where GitHub finds a query too heavy, and the work goes on",
    async () => {
      const counter = new CallCounter();
      const operator = { reconcileEvery: "1h", deliveriesEvery: "1h" };
      world = await World.create({ listener: counter, operator });
      world.github.faults.heaviestQuery = 1_200;
      await world.addTask({ id: "heavy", files: ["src/heavy.txt"] });
      for (let at = 0; at < 30; at += 1) await world.addTask({ id: `idle-${at}` });
      world.approveEverything();
      world.moveToReady("heavy");
      await world.untilColumn("Done", "heavy");
      await world.settle();
      expect(await world.tasks()).toHaveLength(1);
      expect(await world.notices()).toEqual([]);
    },
  );

  it("is nothing that counts while nothing changes, however often the board is looked at", async () => {
    const counter = new CallCounter();
    const operator = { reconcileEvery: "100ms", deliveriesEvery: "1h" };
    world = await World.create({ strict: false, listener: counter, operator });
    await world.addTask({ id: "idle" });
    // A card that changed within the second of a reading is read again for a while.
    await world.until("the board was looked at in vain", () => {
      const isQuiet = counter.total === 0 && counter.unchanged >= 4;
      if (counter.total > 0) counter.forget();
      return isQuiet;
    });
    counter.forget();
    await world.until("it was looked at again", () => counter.unchanged >= 10);
    expect(counter.table()).toEqual([]);

    // A move whose webhook is lost is still seen.
    world.github.setWebhookUrl("http://127.0.0.1:9/");
    world.moveToReady("idle");
    await world.untilColumn("In review", "idle");
  });
});
