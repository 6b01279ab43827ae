import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AppProcess } from "../support/app-process.ts";
import { World } from "../support/world.ts";

let world: World;
let app: AppProcess;
beforeAll(async () => {
  world = await World.create({ startApp: false, github: { enterprise: true } });
  const host = new URL(world.github.url).host;
  // The file names the root, as for github.com: the environment counts more.
  app = new AppProcess(world, { GHE_HOST: host, GHE_PROTOCOL: "http" });
});
afterAll(async () => {
  await app.stop();
  await world.close();
});

describe("on an enterprise server", () => {
  it("lands a card through /api/v3 and /api/graphql", async () => {
    await app.start();
    world.approveEverything();
    await world.addTask({ id: "one", files: ["src/one.txt"] });
    world.moveToReady("one");
    await world.untilColumn("Done", "one");
    expect(await world.git("show", "main:src/one.txt")).toBe("one");
    const { rest, graphql } = world.github.calls();
    expect(Math.min(rest, graphql)).toBeGreaterThan(0);
  });
});
