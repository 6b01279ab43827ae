import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { AppProcess } from "../support/app-process.ts";
import { further } from "../support/further.ts";
import { killAgents, expectEachLandedOnce, runningAgents } from "../support/landed-once.ts";
import { type WorldOptions } from "../support/world-options.ts";
import { World } from "../support/world.ts";

let world: World;
let app: AppProcess;
afterEach(async () => {
  await app.kill();
  await killAgents(world);
  await world.close();
});

async function createWorld(options: WorldOptions = {}): Promise<void> {
  const operator = { reconcileEvery: "500ms" };
  world = await World.create({ startApp: false, operator, ...options });
  app = new AppProcess(world);
  world.approveEverything();
  await app.start();
}

/** Each task's agent waits for the file `<id>.go`. */
async function startTasks(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const file = `src/${id}.txt`;
    const script = { waitFor: [`${id}.go`], writes: { [file]: `${id}\n` } };
    await world.addTask({ id, files: [file], script });
  }
  world.moveToReady(...ids);
  await world.until("all are running", async () => (await world.journal()).length === ids.length);
}

const letGo = async (ids: readonly string[]): Promise<void> => {
  for (const id of ids) await world.signalAgents(`${id}.go`);
};
const ended = async (): Promise<number> =>
  (await world.journal()).filter(({ what }) => what === "ended").length;
const filesOf = (folder: string): Promise<readonly string[]> =>
  readdir(join(world.folder, "app", folder));

describe.runIf(process.platform === "linux")("an app that was killed", () => {
  it("in the middle of eight runs, loses none and does none twice", async () => {
    await createWorld();
    const ids = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
    await startTasks(ids);
    await app.kill();
    const [early, late] = [ids.slice(0, 4), ids.slice(4)];
    await letGo(early);
    await world.until("half of them ended alone", async () => (await ended()) === early.length);
    await app.start();
    await world.until("runs are taken up", () => world.pulls().length > 0);
    await letGo(late);
    await world.untilColumn("Done", ...ids);

    await expectEachLandedOnce(world, ids);
    for (const id of ids) expect(await world.attemptsOf(id)).toEqual([1]);
    await world.until("no process is left", async () => (await runningAgents(world)).length === 0);
    await world.until("no command is left", async () => (await filesOf("runs")).length === 0);
  });

  further(
    "does not ask an agent again whose change was being verified, but one that died as well",
    async () => {
      const wait = `until test -e "$A/verified"; do sleep 0.05; done`;
      await createWorld({
        repository: { verify: `A=$HOME/../../../agent; touch "$A/verifying"; ${wait}` },
      });
      await startTasks(["one", "two"]);
      await letGo(["one"]);
      await world.until("one is verified", () => existsSync(join(world.agentFolder, "verifying")));
      await app.kill();
      await killAgents(world, "two");
      await letGo(["two"]);
      await app.start();
      await world.signalAgents("verified");
      await world.untilColumn("Done", "one", "two");

      await expectEachLandedOnce(world, ["one", "two"]);
      expect(await world.attemptsOf("one")).toEqual([1]);
      expect(await world.attemptsOf("two")).toEqual([1, 2]);
    },
  );
});
