import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { latestRuns } from "../../../local-github/model/checks-of.ts";
import { createStatus } from "../../../local-github/actions/checks.ts";
import { updateBranch } from "../../../local-github/actions/pulls/update-branch.ts";
import { beginJob, endJob } from "../../../local-github/actions/workflow-jobs.ts";
import { further, some } from "../../support/further.ts";
import { HurriedClock } from "../../support/hurried-clock.ts";
import { World } from "../../support/world.ts";
import { KINDS, guard } from "./guarded.ts";
import { Gate, Writes, approve, bringUnderReview, taskOf, tenMinutes } from "./scene.ts";

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

/** Actions begins to check the pull request. */
function ciBegins(id: string) {
  const { headSha } = world.pull(id);
  return beginJob(world.github.world, world.repository, { name: "CI", headSha });
}

function ciEnds(id: string, run: ReturnType<typeof ciBegins>, conclusion?: "failure"): void {
  const { headSha } = world.pull(id);
  const step = { name: "Test", lines: ["tested"], ...(conclusion && { conclusion }) };
  endJob(world.github.world, world.repository, { name: "CI", headSha, run, steps: [step] });
}

async function untilReason(id: string, words: string): Promise<void> {
  await world.until(`${id} says: ${words}`, async () => {
    return (await taskOf(world, id))?.reason.includes(words) === true;
  });
}

const WAITS = "waits for the required check CI on the pull request";

/** Everybody tries the two together; each alone is tried more seldom. */

describe.each(some(KINDS))("a check that %s requires of the pull request", (kind) => {
  const conditions = { reviews: { count: 1 }, checks: { contexts: ["CI"] } };

  it("is waited for without a write; the change lands as soon as it is green", async () => {
    const clock = new HurriedClock();
    const writes = new Writes();
    world = await World.create({
      listener: writes,
      clock,
      operator: { reconcileEvery: "1h", retry: { backoff: "10s", maxBackoff: "5m" } },
    });
    guard(world, kind, conditions);
    await bringUnderReview(world, "task");
    const run = ciBegins("task");
    approve(world, "task");
    await untilReason("task", WAITS);
    await world.settle();
    const before = writes.taken.length;
    await tenMinutes(world, clock);
    expect(writes.refused).toEqual([]);
    expect(writes.taken.slice(before).length).toBeLessThanOrEqual(3);
    expect(world.column("task")).toBe("In review");
    ciEnds("task", run);
    await world.untilColumn("Done", "task");
    expect(writes.refused).toEqual([]);
    expect(world.pull("task").earlierHeads).toEqual([]);
  });
});

describe("a required check", () => {
  const conditions = { reviews: { count: 1 }, checks: { contexts: ["CI"] } };

  further("is found by the timer when the webhook of its success is lost", async () => {
    const clock = new HurriedClock();
    world = await World.create({ clock, operator: { reconcileEvery: "1h" } });
    guard(world, "a ruleset", conditions);
    await bringUnderReview(world, "task");
    approve(world, "task");
    await untilReason("task", WAITS);
    await world.settle();
    world.github.faults.webhooks.lose = 1;
    ciEnds("task", ciBegins("task"));
    await world.settle();
    expect(world.column("task")).toBe("In review");
    world.github.faults.webhooks.lose = 0;
    clock.skip(61_000);
    await world.untilColumn("Done", "task");
  });

  further("may be a status, and holds back nobody else", async () => {
    world = await World.create({ operator: { reconcileEvery: "1h" } });
    guard(world, "classic protection", conditions);
    await bringUnderReview(world, "slow", "quick");
    ciEnds("quick", ciBegins("quick"));
    approve(world, "slow", "quick");
    await world.untilColumn("Done", "quick");
    await untilReason("slow", WAITS);
    const { headSha: sha } = world.pull("slow");
    const status = { sha, state: "success", context: "CI", actor: world.github.as("ann").user };
    createStatus(world.github.world, world.repository, { ...status, state: "success" });
    await world.untilColumn("Done", "slow");
  });

  it("that fails sends an approved change back to a run, which is told why, and nothing is asked of GitHub", async () => {
    const writes = new Writes();
    world = await World.create({
      listener: writes,
      operator: { reconcileEvery: "1h" },
      repository: { feedback: { quiet: "50ms" } },
    });
    guard(world, "a ruleset", conditions);
    await world.addTask({
      id: "task",
      files: ["task.txt"],
      script: { writes: { "task.txt": "1\n" }, attempts: { 2: { writes: { "task.txt": "2\n" } } } },
    });
    world.moveToReady("task");
    await world.untilColumn("In review", "task");
    await world.settle();
    const run = ciBegins("task");
    approve(world, "task");
    await untilReason("task", WAITS);
    ciEnds("task", run, "failure");
    await world.until("a run works on it", async () => {
      return (await world.attemptsOf("task")).length === 2;
    });
    await world.until("it is in review", async () => (await world.taskState("task")) === "review");
    expect(await world.agentFile("task.2.prompt")).toContain("The check CI");
    ciEnds("task", ciBegins("task"));
    approve(world, "task");
    await world.untilColumn("Done", "task");
    expect(writes.refused).toEqual([]);
  });

  further("that begins again after the change was verified is waited for, too", async () => {
    world = await World.create({
      operator: { reconcileEvery: "1h" },
      repository: { verify: gate.before("task/file.txt") },
    });
    guard(world, "both", conditions);
    await bringUnderReview(world, "task");
    await gate.shut();
    ciEnds("task", ciBegins("task"));
    approve(world, "task");
    await world.untilColumn("Queued", "task");
    const again = ciBegins("task");
    await gate.open();
    await untilReason("task", WAITS);
    ciEnds("task", again);
    await world.untilColumn("Done", "task");
  });
});

describe.each(some(KINDS.slice(0, 2)))(
  "%s that takes only branches that are up to date",
  (kind) => {
    it("has the issue say so, is asked for nothing, and gets the change when it is brought up to date and approved", async () => {
      const writes = new Writes();
      world = await World.create({ listener: writes, operator: { reconcileEvery: "1h" } });
      guard(world, kind, { reviews: { count: 1 }, checks: { contexts: ["CI"], strict: true } });
      await bringUnderReview(world, "task");
      const late = { files: { "late.txt": "late\n" }, message: "Late" };
      await world.github.as("ann").push(world.repository, "main", late);
      ciEnds("task", ciBegins("task"));
      approve(world, "task");
      await untilReason("task", "is behind main, which takes only branches that are up to date");
      await world.until("the issue says so", () =>
        world
          .comments("task")
          .some((said) => said.includes("update its branch and approve it again")),
      );
      const actor = world.github.as("bob").user;
      await updateBranch(world.github.world, world.pull("task"), { actor });
      ciEnds("task", ciBegins("task"));
      approve(world, "task");
      await world.untilColumn("Done", "task");
      expect(writes.refused).toEqual([]);
    });
  },
);
