import { afterEach, describe, expect, it } from "vitest";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

const TASKS = [
  { id: "a", files: ["src/a.txt"], script: { writes: { "src/a.txt": "new a\n" } } },
  { id: "b", files: ["src/b.txt"], script: { writes: { "src/b.txt": "new b\n" } } },
  { id: "c", files: ["src/a.txt", "src/c.txt"], script: { writes: { "src/c.txt": "new c\n" } } },
];
const RESULT = { "src/a.txt": "new a\n", "src/b.txt": "new b\n", "src/c.txt": "new c\n" };

async function playTasks(): Promise<void> {
  world.approveEverything();
  await world.addTasks(TASKS);
  world.moveToReady("a", "b", "c");
  await world.untilColumn("Done", "a", "b", "c");
  await world.settle();
}

async function expectEachDoneOnce(): Promise<void> {
  expect(await world.mainFiles()).toMatchObject(RESULT);
  const starts = (await world.journal()).filter(({ what }) => what === "started");
  expect(starts.map(({ id }) => id).sort()).toEqual(["a", "b", "c"]);
  for (const id of ["a", "b", "c"]) {
    expect(world.comments(id)).toHaveLength(1);
    expect(world.issue(id).state).toBe("closed");
  }
  expect(world.pulls()).toHaveLength(3);
  const log = await world.git("rev-list", "--count", "main");
  expect(Number(log)).toBe(4);
}

describe("webhooks are hints", () => {
  it("converges when every webhook is lost", async () => {
    world = await World.create({ operator: { reconcileEvery: "200ms" } });
    world.github.faults.webhooks.lose = 1;
    await playTasks();
    await expectEachDoneOnce();
  });

  it("changes nothing when each arrives three times in any order", async () => {
    world = await World.create();
    world.github.faults.seed(7);
    Object.assign(world.github.faults.webhooks, { copies: 3, shuffle: 5 });
    await playTasks();
    await expectEachDoneOnce();
  });

  it("refuses a webhook with a wrong signature and stores nothing", async () => {
    world = await World.create();
    const before = await world.app.store.unseenSignals();
    const response = await fetch(world.app.webhookUrl, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-github-event": "push",
        "x-github-delivery": "forged",
        "x-hub-signature-256": `sha256=${"0".repeat(64)}`,
      },
      body: JSON.stringify({ repository: { full_name: "acme/shop" } }),
    });
    expect(response.status).toBe(400);
    expect(await world.app.store.unseenSignals()).toEqual(before);
  });
});
