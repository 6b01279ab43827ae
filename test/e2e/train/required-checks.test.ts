import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { latestRuns } from "../../../local-github/model/checks-of.ts";
import { World } from "../../support/world.ts";
import { guard } from "./guarded.ts";
import { Gate, approve, bringUnderReview } from "./scene.ts";

let world: World;
let gate: Gate;

beforeEach(async () => {
  gate = await Gate.create();
});

afterEach(async () => {
  await world.close();
  await gate.remove();
});

/** Says what people see of our check on the pull request. */
function shown(id: string): string | undefined {
  const pull = world.pull(id);
  const runs = latestRuns(world.github.world, world.repository, pull.headSha);
  const own = runs.find(({ name }) => name === "wavetrain");
  return own?.conclusion ?? own?.status;
}

describe("a branch that requires our check", () => {
  it("does not take a change from people any more when the base moved after it was verified", async () => {
    world = await World.create({
      operator: { reconcileEvery: "1h" },
      repository: { verify: gate.before("late.txt"), report: { waitingAfter: "10m" } },
    });
    guard(world, "a ruleset", { reviews: { count: 1 }, checks: { contexts: ["wavetrain"] } });
    await bringUnderReview(world, "task");
    await gate.shut();
    let pushed: Promise<string> | undefined;
    const late = { files: { "late.txt": "late\n" }, message: "Late" };
    world.github.faults.answer({
      matches: ({ route }) => {
        if (!route.endsWith("/merge")) return false;
        expect(shown("task")).toBe("success");
        pushed = world.github.as("ann").push(world.repository, "main", late);
        return true;
      },
      status: 502,
      message: "Bad Gateway",
    });
    approve(world, "task");
    await world.until("the base moved", () => pushed !== undefined);
    await pushed;
    await world.until("it is not green any more", () => shown("task") !== "success");
    await expect(world.github.as("bob").merge(world.pull("task"))).rejects.toThrow(
      'Required status check "wavetrain" is in progress.',
    );
    await gate.open();
    await world.untilColumn("Done", "task");
    expect(await world.mainFiles()).toHaveProperty("task/file.txt");
  });
});
