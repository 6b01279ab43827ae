import { afterEach, describe, expect, it } from "vitest";
import { CallCounter } from "../support/call-counter.ts";
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

describe("what the app asks of GitHub", () => {
  it("is at most 10 calls and 4 content writes for each task that lands, on a board of 100 cards", async () => {
    const counter = new CallCounter();
    const ids = await boardOf100(counter);
    await world.settle();
    // Once each: a landing that moves the pull request's branch is nothing to approve again.
    world.github.world.listeners.push((event) => {
      if (event.name !== "pull_request" || event.action !== "opened") return;
      setImmediate(() => world.github.as("bob").approve(event.pull));
    });
    counter.forget();
    world.moveToReady(...ids);
    await world.untilColumn("Done", ...ids);
    await world.settle();
    if (process.env.SHOW_CALLS !== undefined) {
      const lines = counter.table().map(([name, count]) => `${count / LANDED} ${name}`);
      process.stderr.write(`${[`${counter.total / LANDED} in all`, ...lines].join("\n")}\n`);
    }

    expect(counter.total / LANDED).toBeLessThanOrEqual(10);
    expect(counter.contentWrites / LANDED).toBeLessThanOrEqual(4);
  });

  it("is nothing that counts while nothing changes, however often the board is looked at", async () => {
    const counter = new CallCounter();
    const operator = { reconcileEvery: "100ms", deliveriesEvery: "1h" };
    world = await World.create({ strict: false, listener: counter, operator });
    await world.addTask({ id: "idle" });
    await world.until("the board was looked at in vain", () => counter.unchanged >= 4);
    counter.forget();
    await world.until("it was looked at again", () => counter.unchanged >= 10);
    expect(counter.table()).toEqual([]);

    // A move whose webhook is lost is still seen.
    world.github.setWebhookUrl("http://127.0.0.1:9/");
    world.moveToReady("idle");
    await world.untilColumn("In review", "idle");
  });
});
