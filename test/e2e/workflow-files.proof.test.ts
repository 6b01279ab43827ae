import { afterEach, describe, expect, it } from "vitest";
import { further } from "../support/further.ts";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

const WORKFLOW = ".github/workflows/ci.yml";
const FILES = { "README.md": "# shop\n", "src/a.txt": "a\n", [WORKFLOW]: "on: push\n" };

const OPTIONS = {
  files: FILES,
  operator: { reconcileEvery: "500ms" },
  repository: { feedback: { quiet: "50ms" } },
};

async function pushToMain(files: Readonly<Record<string, string>>): Promise<void> {
  await world.github.as("ann").push(world.repository, "main", { files, message: "main goes on" });
}

function bump(): Promise<void> {
  return pushToMain({ [WORKFLOW]: "on: [push]\n" });
}

function approve(id: string): void {
  world.github.as("bob").approve(world.pull(id));
}

describe("when workflow files change on main", () => {
  it("lands a task whose agent was at work meanwhile", async () => {
    world = await World.create(OPTIONS);
    const script = { writes: { "src/new.txt": "new\n" }, waitFor: ["bumped"] };
    await world.addTask({ id: "task", files: ["src/new.txt"], script });
    world.moveToReady("task");
    await world.until("the agent works", async () => (await world.attemptsOf("task")).length > 0);
    await bump();
    await world.signalAgents("bumped");
    await world.untilColumn("In review", "task");
    approve("task");
    await world.untilColumn("Done", "task");
    expect(await world.mainFiles()).toMatchObject({
      "src/new.txt": "new\n",
      [WORKFLOW]: "on: [push]\n",
    });
    expect(await world.attemptsOf("task")).toEqual([1]);
  });

  further("brings a rework to its branch, whose commits stay", async () => {
    world = await World.create(OPTIONS);
    await world.addTask({ id: "task", files: ["src/new.txt"] });
    world.moveToReady("task");
    await world.untilColumn("In review", "task");
    await world.settle();
    const { headSha: first, headRef } = world.pull("task");
    await bump();
    await world.rescript("task", { writes: { "src/new.txt": "better\n" } });
    world.github.as("bob").requestChanges(world.pull("task"), "Better, please.");
    await world.until("the rework is there", () => world.pull("task").headSha !== first);
    expect(await world.git("merge-base", first, headRef)).toBe(first);
    await world.settle();
    approve("task");
    await world.untilColumn("Done", "task");
    expect(await world.mainFiles()).toMatchObject({ "src/new.txt": "better\n" });
  });

  further("lands a pull request that was open before", async () => {
    world = await World.create(OPTIONS);
    await world.addTask({ id: "task", files: ["src/new.txt"] });
    world.moveToReady("task");
    await world.untilColumn("In review", "task");
    await bump();
    approve("task");
    await world.untilColumn("Done", "task");
    expect(await world.mainFiles()).toHaveProperty("src/new.txt");
  });

  it("lands a pull request whose branch was already moved for its landing", async () => {
    world = await World.create(OPTIONS);
    await world.addTask({ id: "task", files: ["src/new.txt"] });
    world.moveToReady("task");
    await world.untilColumn("In review", "task");
    await world.settle();
    let bumped: Promise<void> | undefined;
    world.github.world.listeners.push((event) => {
      if (event.name === "pull_request" && event.action === "synchronize") bumped ??= bump();
    });
    world.approveEverything();
    await world.untilColumn("Done", "task");
    expect(bumped).toBeDefined();
    expect(await world.git("diff", "--name-only", "HEAD~1", "HEAD")).toBe("src/new.txt");
  });

  further(
    "works again on a change that no longer fits, with the words of the conflict",
    async () => {
      world = await World.create(OPTIONS);
      const script = { writes: { "src/a.txt": "ours\n" }, waitFor: ["bumped"] };
      await world.addTask({ id: "task", files: ["src/a.txt"], script });
      world.moveToReady("task");
      await world.until("the agent works", async () => (await world.attemptsOf("task")).length > 0);
      await pushToMain({ [WORKFLOW]: "on: [push]\n", "src/a.txt": "theirs\n" });
      await world.signalAgents("bumped");
      await world.untilColumn("In review", "task");
      const events = await world.app.store.events(0, 1_000_000);
      const lost = events.flatMap(({ change }) =>
        change.kind === "run-finished" && change.outcome.kind === "lost" ? [change.outcome] : [],
      );
      expect(lost.map(({ reason }) => reason)).toEqual([
        expect.stringContaining("the change conflicts with main in src/a.txt"),
      ]);
    },
  );
});

describe("a workflow file that was refused at its landing", () => {
  further("lands after the permission was granted", async () => {
    world = await World.create(OPTIONS);
    await world.addTask({ id: "task", files: ["src/new.txt"] });
    world.moveToReady("task");
    await world.untilColumn("In review", "task");
    await world.settle();
    const files = { [WORKFLOW]: "on: pull_request\n" };
    const { headRef } = world.pull("task");
    await world.github.as("bob").push(world.repository, headRef, { files, message: "CI" });
    await world.settle();
    approve("task");
    await world.until("it is refused", async () =>
      (await world.tasks()).some(({ reason }) => reason.includes("`workflows` permission")),
    );
    await world.settle();
    const [installation] = world.github.world.installations;
    if (installation === undefined) throw new Error("the app is not installed");
    world.github.as("ann").acceptPermissions(installation, { workflows: "write" });
    await world.untilColumn("Done", "task");
    expect(await world.mainFiles()).toMatchObject(files);
  });
});
