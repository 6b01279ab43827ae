import { afterEach, describe, expect, it } from "vitest";
import { CallCounter } from "../support/call-counter.ts";
import { further } from "../support/further.ts";
import { HurriedClock } from "../support/hurried-clock.ts";
import type { WorldOptions } from "../support/world-options.ts";
import { World } from "../support/world.ts";

const CONFIG = ".github/wavetrain.yml";
const SETTINGS = "verify: test -f README.md\nreport: { waitingAfter: 0s }\n";
const HOUR_MS = 60 * 60_000;

let world: World;
let counter: CallCounter;
afterEach(() => world.close());

/** The App is installed on all repositories; the operator's file names none of them. */
async function create(options: WorldOptions = {}): Promise<void> {
  counter = new CallCounter();
  const operator = { repositories: {}, ...options.operator };
  world = await World.create({ listener: counter, ...options, operator });
  world.approveEverything();
}

async function push(text: string | null): Promise<void> {
  const change = { files: { [CONFIG]: text }, message: "Change the file" };
  await world.github.as("ann").push(world.repository, "main", change);
  await world.github.deliverySettled();
}

async function readyTask(id: string): Promise<void> {
  await world.addTask({ id, files: [`src/${id}.txt`] });
  world.moveToReady(id);
}

describe("a repository that nobody signed up", () => {
  it("is left alone: no agent, no comment, no label, no check, no reading", async () => {
    await create();
    await world.settle();
    counter.forget();
    await readyTask("task");
    world.github.as("ann").comment(world.issue("task"), "/retry");
    await world.settle();
    expect(counter.table()).toEqual([]);
    expect(world.column("task")).toBe("Ready");
    expect(await world.app.store.events(0, 100)).toEqual([]);
  });

  it("is not asked for its file over and over", async () => {
    const clock = new HurriedClock();
    await create({ clock });
    counter.forget();
    for (let hour = 0; hour < 5; hour += 1) {
      clock.skip(HOUR_MS);
      await world.settle();
    }
    const asked = counter.table().filter(([name]) => name.includes("/contents/"));
    expect(asked).toEqual([]);
  });

  it("takes part from the push that brings the file", async () => {
    await create();
    await readyTask("task");
    await world.settle();
    expect(world.column("task")).toBe("Ready");
    await push(SETTINGS);
    await world.untilColumn("Done", "task");
  });

  further("takes part after some hours even if the push was never heard of", async () => {
    const clock = new HurriedClock();
    await create({ clock, operator: { repositories: {}, deliveriesEvery: "500h" } });
    await readyTask("task");
    await world.settle();
    world.github.faults.webhooks.lose = 1;
    await push(SETTINGS);
    await world.settle();
    expect(world.column("task")).toBe("Ready");
    clock.skip(7 * HOUR_MS);
    world.github.faults.webhooks.lose = 0;
    await world.untilColumn("Done", "task");
  });

  further("takes part when the operator allows it by a pattern, without a file", async () => {
    await create({ operator: { repositories: {}, serve: { allow: ["acme/*"] } } });
    await readyTask("task");
    await world.untilColumn("In review", "task");
  });
});

describe("a repository that takes part", () => {
  further("is left alone when the operator denies it, whatever its file says", async () => {
    const files = { "README.md": "# shop\n", [CONFIG]: SETTINGS };
    await create({ files, operator: { repositories: {}, serve: { deny: ["ACME/shop"] } } });
    await readyTask("task");
    await world.settle();
    expect(world.column("task")).toBe("Ready");
  });

  it("starts nothing new once its file is removed, says why, and goes on when it is back", async () => {
    await create({ files: { "README.md": "# shop\n", [CONFIG]: SETTINGS } });
    await world.addTask({
      id: "begun",
      files: ["src/begun.txt"],
      script: { waitFor: ["go"], writes: { "src/begun.txt": "begun\n" } },
    });
    world.moveToReady("begun");
    await world.until("the agent is at work", () => world.app.working().length === 1);
    await push(null);
    await readyTask("later");
    await world.until("it is said", async () =>
      (await world.notices()).some((line) => line.includes("does not take part any more")),
    );
    expect(world.column("later")).toBe("Ready");
    expect(world.app.working()).toHaveLength(1);

    await world.signalAgents("go");
    await world.until("the run has ended", () => world.app.working().length === 0);
    expect(world.pulls()).toHaveLength(1);
    await push(SETTINGS);
    await world.untilColumn("Done", "begun", "later");
    expect((await world.notices()).join()).not.toContain("does not take part");
  });
});
