import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { usePostgres } from "../adapters/store/use-postgres.ts";
import { World } from "../support/world.ts";

const postgres = usePostgres();
const TASKS = ["one", "two", "three", "four"];

describe("two servers on one PostgreSQL", () => {
  it("do every task once, land it once and write one comment about it", async () => {
    const store = { url: await postgres().createDatabase() };
    const world = await World.create({ operator: { store } });
    const second = await world.startServer({ dataDir: join(world.folder, "second") });
    try {
      world.approveEverything();
      await world.addTasks(TASKS.map((id) => ({ id, files: [`src/${id}.txt`] })));
      world.moveToReady(...TASKS);
      await world.untilColumn("Done", ...TASKS);
      await world.settle();
      await second.idle();

      for (const id of TASKS) expect(await world.attemptsOf(id)).toEqual([1]);
      expect(TASKS.map((id) => world.comments(id).length)).toEqual([1, 1, 1, 1]);
      const landed = (await world.git("log", "--format=%s", "--first-parent", "main")).split("\n");
      expect(landed.filter((subject) => subject.startsWith("Task")).length).toBe(TASKS.length);
    } finally {
      await second.stop("stop");
      await world.close();
    }
  });
});
