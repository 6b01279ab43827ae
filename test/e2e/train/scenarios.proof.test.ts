import { afterEach, describe, expect, it } from "vitest";
import { further } from "../../support/further.ts";
import { World } from "../../support/world.ts";
import { approve, entryOf, taskOf, underReview } from "./scene.ts";

let world: World;
afterEach(() => world.close());

const WORKFLOW = ".github/workflows/ci.yml";
const WORDS = `refusing to allow a GitHub App to create or update workflow \`${WORKFLOW}\` without \`workflows\` permission`;

async function landings(): Promise<number> {
  return Number(await world.git("rev-list", "--count", "--first-parent", "main")) - 1;
}

function ourComment(id: string): string {
  return world.comments(id).find((body) => body.includes("wavetrain:task")) ?? "";
}

describe("a workflow file without permission", () => {
  it("goes to a human with GitHub's words, and its neighbours land", async () => {
    world = await underReview({}, "task", "other");
    const bob = world.github.as("bob");
    const files = { [WORKFLOW]: "on: push\n" };
    await bob.push(world.repository, world.pull("task").headRef, { files, message: "CI" });
    await world.settle();
    approve(world, "task", "other");
    await world.untilColumn("Done", "other");
    await world.until("it says so", async () =>
      Boolean((await taskOf(world, "task"))?.reason.includes(WORDS)),
    );
    await world.settle();
    expect((await taskOf(world, "task"))?.state).toBe("review");
    expect(await world.mainFiles()).not.toHaveProperty(WORKFLOW);
    await world.github.as("ann").merge(world.pull("task"));
    await world.untilColumn("Done", "task");
  });

  it("ends the task with GitHub's words when the runner wrote it", async () => {
    world = await World.create();
    await world.addTask({
      id: "ci",
      // A claim that is for workflows alone would not be tried at all.
      files: [".github/"],
      script: { writes: { [WORKFLOW]: "on: push\n" } },
    });
    world.moveToReady("ci");
    await world.until("it is given up", async () => (await world.taskState("ci")) === "failed");
    expect((await taskOf(world, "ci"))?.reason).toContain(WORDS);
    expect(await world.attemptsOf("ci")).toEqual([1]);
  });
});

describe("a fork", () => {
  further("does not get into the train by the name of a task's branch", async () => {
    world = await underReview();
    const eve = world.github.as("eve");
    const fork = await world.github.fork(world.repository, "eve");
    const { headRef } = world.pull("task");
    const number = world.issue("task").number;
    const change = { files: { "evil.txt": "evil\n" }, message: "Evil" };
    await eve.push(fork, headRef, change);
    const stranger = await eve.openPullRequest(world.repository, {
      title: "Same name",
      head: `eve:${headRef}`,
      body: `Also closes #${number}.`,
    });
    world.github.as("bob").approve(stranger);
    await world.settle();
    expect(await landings()).toBe(0);
    approve(world, "task");
    await world.untilColumn("Done", "task");
    expect(await world.mainFiles()).not.toHaveProperty("evil.txt");
    expect(stranger.state).toBe("open");
  });
});

describe("the base branch", () => {
  further(
    "that is another one by now keeps the change out until it is approved there",
    async () => {
      world = await underReview();
      const pull = world.pull("task");
      await world.github
        .as("ann")
        .push(world.repository, "next", { files: { n: "n\n" }, message: "N" });
      pull.baseRef = "next";
      approve(world, "task");
      await world.settle();
      expect(pull.landing).toBeNull();
      expect(await world.taskState("task")).toBe("review");
      pull.baseRef = "main";
      approve(world, "task");
      await world.untilColumn("Done", "task");
    },
  );
});

describe("train paused", () => {
  it("lands nothing, says by whom and why, and lands what waited when it is resumed", async () => {
    world = await underReview();
    const say = (words: string) => world.github.as("ann").comment(world.issue("task"), words);
    say("/pause waiting for the release");
    await world.settle();
    approve(world, "task");
    const words = "paused by ann: waiting for the release; until someone says /resume";
    await world.until("it says so", () => ourComment("task").includes(words));
    await world.settle();
    expect(await landings()).toBe(0);
    expect((await entryOf(world, "task"))?.state).toBe("queued");
    say("/resume");
    await world.untilColumn("Done", "task");
  });
});

describe("a conflict with the one ahead", () => {
  further("sends the loser to a run that is told, and the neighbours go on", async () => {
    world = await underReview({}, "first", "second", "third");
    const bob = world.github.as("bob");
    for (const id of ["first", "second"]) {
      const change = { files: { "shared.txt": `${id}\n` }, message: id };
      await bob.push(world.repository, world.pull(id).headRef, change);
    }
    await world.settle();
    approve(world, "first");
    await world.untilColumn("Done", "first");
    approve(world, "second", "third");
    await world.untilColumn("Done", "third");
    await world.until("a second attempt", async () =>
      (await world.attemptsOf("second")).includes(2),
    );
    expect(await world.agentFile("second.prompt")).toContain("conflicts with main in shared.txt");
    expect(await world.mainFiles()).toMatchObject({ "shared.txt": "first\n" });
  });
});
