import { afterEach, describe, expect, it } from "vitest";
import { further } from "../../support/further.ts";
import { HurriedClock } from "../../support/hurried-clock.ts";
import { World } from "../../support/world.ts";
import {
  SHOP,
  Writes,
  approve,
  bringUnderReview,
  entryOf,
  storyOf,
  taskOf,
  tenMinutes,
} from "./scene.ts";

let world: World;
afterEach(() => world.close());

const RETRY = { backoff: "10s", maxBackoff: "5m" };

async function create(clock?: HurriedClock): Promise<Writes> {
  const refusals = new Writes();
  world = await World.create({
    listener: refusals,
    operator: { reconcileEvery: "1h", ...(clock !== undefined && { retry: RETRY }) },
    ...(clock !== undefined && { clock }),
  });
  return refusals;
}

describe("a branch with classic protection", () => {
  it("gets changes by the merge API from the start: no head is moved and nothing is refused", async () => {
    const refusals = await create();
    world.github.protect(world.repository, "main", { reviews: { count: 1 } });
    await bringUnderReview(world, "task");
    approve(world, "task");
    await world.untilColumn("Done", "task");
    expect(refusals.refused).toEqual([]);
    expect(world.pull("task").earlierHeads).toEqual([]);
    expect(world.pull("task").landing).not.toBeNull();
  });

  it("that appears between the reading and the landing is refused once, and the heads go back once", async () => {
    const refusals = await create();
    await bringUnderReview(world, "task");
    world.github.protect(world.repository, "main", { reviews: { count: 1, dismissStale: true } });
    const { headSha } = world.pull("task");
    approve(world, "task");
    await world.untilColumn("Done", "task");
    expect(refusals.refused).toEqual(["BRANCH_PROTECTION_RULE_VIOLATION"]);
    expect(world.pull("task").headSha).toBe(headSha);
    expect(world.pull("task").reviews.map(({ state }) => state)).toEqual(["APPROVED"]);
    expect(world.pull("task").earlierHeads).toHaveLength(2);
  });

  further(
    "that lets only others push is asked twice, then not again until something changes",
    async () => {
      const clock = new HurriedClock();
      const refusals = await create(clock);
      await bringUnderReview(world, "task");
      world.github.protect(world.repository, "main", { pushers: { logins: ["ann"] } });
      approve(world, "task");
      await world.until("it is refused", () => refusals.refused.length > 0);
      await tenMinutes(world, clock);
      expect(refusals.refused.length).toBeLessThanOrEqual(3);
      expect(world.pull("task").earlierHeads.length).toBeLessThanOrEqual(2);
      expect((await taskOf(world, "task"))?.reason).toContain("Cannot update this protected ref.");
      await world.until("the issue says so", () =>
        world.comments("task").some((said) => said.includes("Cannot update this protected ref.")),
      );
      // Who may push cannot be read: it is asked again because one more person approves.
      world.repository.rules.splice(0);
      world.github.protect(world.repository, "main", { reviews: { count: 1 } });
      world.github.as("ann").approve(world.pull("task"));
      await world.untilColumn("Done", "task");
    },
  );
});

describe("a landing that somebody must sign", () => {
  it("is not asked for again and again: the issue says why", async () => {
    const clock = new HurriedClock();
    const refusals = await create(clock);
    world.github.protect(world.repository, "main", { signatures: true });
    await bringUnderReview(world, "task");
    approve(world, "task");
    await world.until("it is refused", () => refusals.refused.length > 0);
    await tenMinutes(world, clock);
    expect(refusals.refused.length).toBeLessThanOrEqual(3);
    expect((await storyOf(world, "task")).join("\n")).toContain(
      "GitHub refused: Repository rule violations found Commits must have verified signatures.",
    );
    expect((await entryOf(world, "task"))?.state).toBe("rejected");
    const { trains } = await world.app.store.readRepo(SHOP);
    expect(trains).toMatchObject([{ state: "running" }]);
  });
});
