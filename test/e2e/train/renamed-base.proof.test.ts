import { afterEach, describe, expect, it } from "vitest";
import { further } from "../../support/further.ts";
import type { World } from "../../support/world.ts";
import { Gate, approve, entryOf, storyOf, taskOf, underReview } from "./scene.ts";

let world: World;
let gate: Gate;
afterEach(async () => {
  await world.close();
  await gate.remove();
});

describe("renamed base", () => {
  it("is followed where it is the default branch: what was in the train lands under the new name, and so does what comes later", async () => {
    gate = await Gate.create();
    const verify = gate.before("task/file.txt");
    world = await underReview({ repository: { verify } }, "task", "later");
    await gate.shut();
    approve(world, "task");
    await world.until("it is verified", async () => {
      return (await entryOf(world, "task"))?.state === "verifying";
    });
    const before = await world.git("rev-parse", "main");
    await world.github.as("ann").renameBranch(world.repository, "main", "trunk");
    await world.until("it is in the train of the new one", async () => {
      return (await entryOf(world, "task"))?.base === "trunk";
    });
    await gate.open();
    await world.untilColumn("Done", "task");
    approve(world, "later");
    await world.untilColumn("Done", "later");
    expect(await storyOf(world, "task")).toContain("the base branch is trunk now");
    expect(await world.git("rev-parse", "trunk~2")).toBe(before);
    expect(world.repository.refs.has("refs/heads/main")).toBe(false);
  });

  further(
    "stops everything where the configuration names it, says what is wrong, and goes on when it is there again",
    async () => {
      gate = await Gate.create();
      world = await underReview({
        repository: { base: "main" },
        operator: { reconcileEvery: "300ms" },
      });
      const ann = world.github.as("ann");
      await ann.renameBranch(world.repository, "main", "trunk");
      approve(world, "task");
      const words =
        "base is main, which is no branch of acme/shop; the default branch is trunk: set base";
      await world.until("it says so", async () =>
        (await world.notices()).some((line) => line.startsWith(words)),
      );
      expect((await taskOf(world, "task"))?.state).toBe("review");
      await ann.renameBranch(world.repository, "trunk", "main");
      await world.untilColumn("Done", "task");
      expect(await world.notices()).toEqual([]);
    },
  );
});
