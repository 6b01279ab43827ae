import { afterEach, describe, expect, it } from "vitest";
import { AppProcess } from "../support/app-process.ts";
import { further } from "../support/further.ts";
import { killAgents, expectEachLandedOnce, runningAgents } from "../support/landed-once.ts";
import { waitingTasks } from "../support/waiting-tasks.ts";
import { World } from "../support/world.ts";

let world: World;
let app: AppProcess;
afterEach(async () => {
  await app.kill();
  await killAgents(world);
  await world.close();
});

async function createWorld(): Promise<void> {
  world = await World.create({
    startApp: false,
    operator: { reconcileEvery: "500ms", onStop: "stop" },
  });
  app = new AppProcess(world);
}

describe.runIf(process.platform === "linux")("a stopped app", () => {
  it("killed in the middle of its runs, goes on with them at the next start and does the work once", async () => {
    await createWorld();
    world.approveEverything();
    const ids = ["one", "two", "three"];
    await app.start();
    await world.addTasks(waitingTasks(ids));
    world.moveToReady(...ids);
    await world.until("all are running", async () => (await world.journal()).length === ids.length);

    await app.kill();
    expect((await runningAgents(world)).length).toBeGreaterThan(0);
    await app.start();
    await world.signalAgents("go");
    await world.untilColumn("Done", ...ids);

    await world.until("no process is left", async () => (await runningAgents(world)).length === 0);
    await expectEachLandedOnce(world, ids);
    for (const id of ids) expect(await world.attemptsOf(id)).toEqual([1]);
  });

  further("told to stop, puts its runs back into the queue and ends with 0", async () => {
    await createWorld();
    await app.start();
    await world.addTask({ id: "a", files: ["src/a.txt"], script: { waitFor: ["never"] } });
    world.moveToReady("a");
    await world.until("it is running", async () => (await world.journal()).length === 1);

    expect(await app.stop()).toBe(0);
    expect(await runningAgents(world)).toEqual([]);
    await world.rescript("a", { writes: { "src/a.txt": "new\n" } });
    await app.start();
    await world.untilColumn("In review", "a");
  });
});
