import { afterEach, describe, expect, it } from "vitest";
import { HurriedClock } from "../support/hurried-clock.ts";
import { World } from "../support/world.ts";

const HOUR_MS = 60 * 60_000;

let world: World;
afterEach(() => world.close());

describe("an installation that is suspended without a word", () => {
  it("is found out, said once, and goes on when it is allowed again", async () => {
    const clock = new HurriedClock();
    world = await World.create({ clock });
    await world.settle();
    const [installation] = world.github.world.installations;
    world.github.suspend(installation!);
    clock.skip(HOUR_MS / 2 + 1000);
    await world.until("it is said", async () =>
      (await world.notices()).some((line) => line.includes("does not see this repository")),
    );
    await world.settle();
    const before = world.github.calls().rest;
    await world.addTask({ id: "task", files: ["src/task.txt"] });
    world.moveToReady("task");
    await world.settle();
    expect(world.github.calls().rest).toBe(before);

    installation!.suspendedAt = null;
    clock.skip(HOUR_MS / 2 + 1000);
    await world.untilColumn("In review", "task");
    expect((await world.notices()).join()).not.toContain("does not see");
  });
});
