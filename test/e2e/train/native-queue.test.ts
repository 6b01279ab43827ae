import { afterEach, describe, expect, it } from "vitest";
import { World } from "../../support/world.ts";
import { SHOP, approve, bringUnderReview, entryOf } from "./scene.ts";

let world: World;
afterEach(() => world.close());

/** Nobody looks by himself: what the queue does is heard of, or never known. */
const createWorld = (verify: string): Promise<World> =>
  World.create({ repository: { verify }, operator: { reconcileEvery: "1h" } });

/** Rules are read once in a while: these are there before anything else. */
async function queueOn(verify: string): Promise<void> {
  world = await createWorld(verify);
  switchQueueOn();
  await bringUnderReview(world, "task");
}

function switchQueueOn(): void {
  const checks = [{ context: "wavetrain" }];
  world.github.addRule(world.repository, { type: "merge_queue", branch: "main" });
  world.github.addRule(world.repository, {
    type: "required_status_checks",
    branch: "main",
    parameters: { required_status_checks: checks, strict_required_status_checks_policy: false },
  });
}

describe("a branch with GitHub's own merge queue", () => {
  it("gets the pull request by that queue, which waits for our check on its group", async () => {
    await queueOn("test -f README.md");
    approve(world, "task");
    await world.untilColumn("Done", "task");
    const landed = world.pull("task").landing?.sha;
    expect(await world.git("rev-parse", "main")).toBe(landed);
    expect((await entryOf(world, "task"))?.landedSha).toBe(landed);
  });

  it("gets it also when the queue is switched on after the rules were read, and the train goes on", async () => {
    world = await createWorld("test -f README.md");
    await bringUnderReview(world, "task");
    switchQueueOn();
    approve(world, "task");
    await world.untilColumn("Done", "task");
    expect((await entryOf(world, "task"))?.landedSha).toBe(world.pull("task").landing?.sha);
    const { trains } = await world.app.store.readRepo(SHOP);
    expect(trains).toMatchObject([{ state: "running" }]);
  });

  it("does not get a change that fails in its group; the task is back under review", async () => {
    await queueOn("! (test -f task/file.txt && test -f veto.txt)");
    const rules = world.repository.rules.splice(0);
    const files = { "veto.txt": "no\n" };
    await world.github.as("ann").push(world.repository, "main", { files, message: "Veto" });
    world.repository.rules.push(...rules);
    approve(world, "task");
    await world.until("it is sent back", async () => {
      const { entries } = await world.app.store.readRepo(SHOP);
      return entries.some(
        ({ state, reason }) => state === "rejected" && /sent #\d+ back/.test(reason),
      );
    });
    expect(world.pull("task").landing).toBeNull();
    expect(await world.git("rev-list", "--count", "main")).toBe("2");
  });
});
