import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openStore } from "../../src/adapters/store/open-store.ts";
import { instant, repoName } from "../../src/domain/ids.ts";
import { aliasMarker } from "../../src/domain/markers.ts";
import { further } from "../support/further.ts";
import { HurriedClock } from "../support/hurried-clock.ts";
import type { NewTask, WorldOptions } from "../support/world-options.ts";
import { World } from "../support/world.ts";

const HOUR_MS = 60 * 60_000;
const FILES = {
  "README.md": "# shop\n",
  "src/a.txt": "a\n",
  ".github/wavetrain.yml":
    "verify: test -f README.md\nreport: { waitingAfter: 0s }\nboard: { project: 1 }\n",
};
const STEADY = { waitFor: ["go"], writes: { "src/first.txt": "first\n" } };

let world: World;
afterEach(() => world.close());

/** The repository signs itself up by its file, so that its name does not matter. */
async function create(options: WorldOptions = {}): Promise<void> {
  const operator = { repositories: {}, ...options.operator };
  world = await World.create({ files: FILES, ...options, operator });
}

async function readyTask(task: Partial<NewTask> = {}): Promise<void> {
  await world.addTask({ id: "task", files: ["src/task.txt"], ...task });
  world.moveToReady("task");
}

async function mirrors(): Promise<readonly string[]> {
  const folder = join(world.folder, "app", "mirrors");
  const owners = await readdir(folder);
  const names = owners.map(async (owner) =>
    (await readdir(join(folder, owner))).map((name) => `${owner}/${name}`),
  );
  return (await Promise.all(names)).flat().sort();
}

async function tasksUnder(name: string): Promise<number> {
  return (await world.app.store.readRepo(repoName(name))).tasks.length;
}

describe("a repository that is renamed", () => {
  it("goes on with a card that waits", async () => {
    await create({ operator: { repositories: {}, slots: 1 } });
    world.approveEverything();
    await world.addTask({ id: "first", files: ["src/first.txt"], script: STEADY });
    world.moveToReady("first");
    await world.until("the agent is at work", () => world.app.working().length === 1);
    await readyTask();
    await world.until("it waits", async () => (await world.taskState("task")) === "waiting");
    world.github.as("ann").renameRepository(world.repository, "store");
    await world.signalAgents("go");
    await world.untilColumn("Done", "first", "task");
    await world.settle();
    expect(await tasksUnder("acme/shop")).toBe(0);
    expect(await tasksUnder("acme/store")).toBe(2);
    expect(world.pulls()).toHaveLength(2);
    expect(world.comments("task")).toHaveLength(1);
  });

  it("keeps the work of an agent that runs, and its next run goes on with it", async () => {
    await create();
    const attempts = { 1: { waitFor: ["never"] } };
    await readyTask({
      files: ["src/**"],
      script: { writes: { "src/end.txt": "end\n" }, attempts },
    });
    await world.until("the agent is at work", async () =>
      (await world.journal()).some(({ what }) => what === "started"),
    );
    const [run] = (await world.app.store.readRepo(world.repo)).runs;
    await writeFile(join(run?.workspace ?? "", "src", "half.txt"), "half\n");
    world.github.as("ann").renameRepository(world.repository, "store");
    await world.untilColumn("In review", "task");
    expect(await mirrors()).toEqual(["acme/store.git"]);
    const task = (await world.tasks())[0];
    expect(task?.failures).toBe(0);
    expect(world.pulls()).toHaveLength(1);
    expect(await world.git("show", "wavetrain/1:src/half.txt")).toBe("half");
    expect(await world.git("show", "wavetrain/1:src/end.txt")).toBe("end");
  });

  it("lands a pull request that was in review, and nothing is said twice", async () => {
    await create();
    await readyTask();
    await world.untilColumn("In review", "task");
    await world.settle();
    world.github.as("ann").renameRepository(world.repository, "store");
    await world.until("the store knows", async () => (await tasksUnder("acme/store")) === 1);
    world.github.as("bob").approve(world.pull("task"));
    await world.untilColumn("Done", "task");
    await world.settle();
    expect(world.comments("task")).toHaveLength(1);
    expect(await tasksUnder("acme/shop")).toBe(0);
    expect(await world.mainFiles()).toHaveProperty("src/task.txt");
    expect(await world.attemptsOf("task")).toEqual([1]);
  });

  further(
    "is found without any webhook, and a task is not given up because of its name",
    async () => {
      const clock = new HurriedClock();
      await create({ clock, operator: { repositories: {}, deliveriesEvery: "500h" } });
      await readyTask();
      await world.untilColumn("In review", "task");
      await world.settle();
      world.github.faults.webhooks.lose = 1;
      world.github.as("ann").renameRepository(world.repository, "store");
      clock.skip(HOUR_MS);
      await world.until("the store knows", async () => (await tasksUnder("acme/store")) === 1);
      await world.settle();
      expect(await world.taskState("task")).toBe("review");
      world.github.as("bob").approve(world.pull("task"));
      clock.skip(HOUR_MS);
      await world.untilColumn("Done", "task");
    },
  );

  further(
    "is found by the next reading, long before the list of repositories is asked for again",
    async () => {
      const clock = new HurriedClock();
      await create({ clock, operator: { repositories: {}, deliveriesEvery: "500h" } });
      await readyTask();
      await world.untilColumn("In review", "task");
      await world.settle();
      world.github.faults.webhooks.lose = 1;
      world.github.as("ann").renameRepository(world.repository, "store");
      await world.addTask({ id: "next", files: ["src/next.txt"] });
      world.moveToReady("next");
      clock.skip(5 * 60_000);
      await world.until("the store knows", async () => (await tasksUnder("acme/store")) > 0);
      expect(await world.taskState("task")).toBe("review");
    },
  );

  further("is found by whatever is told of it under its new name", async () => {
    await create();
    await readyTask();
    await world.untilColumn("In review", "task");
    await world.settle();
    world.github.faults.webhooks.lose = 1;
    world.github.as("ann").renameRepository(world.repository, "store");
    world.github.faults.webhooks.lose = 0;
    world.github.as("bob").approve(world.pull("task"));
    await world.untilColumn("Done", "task");
    expect(await tasksUnder("acme/shop")).toBe(0);
  });

  further("leaves its old name to a new repository, which has no tasks", async () => {
    await create();
    await readyTask();
    await world.untilColumn("In review", "task");
    world.github.as("ann").renameRepository(world.repository, "store");
    await world.until("the store knows", async () => (await tasksUnder("acme/store")) === 1);
    const next = await world.github.addRepository({
      owner: "acme",
      name: "shop",
      from: FILES,
      roles: { ann: "admin", bob: "write" },
    });
    const ann = world.github.as("ann");
    const issue = ann.openIssue({ repo: next, title: "Task other", body: aliasMarker("other") });
    world.github.addCard(world.project, issue, "Backlog");
    world.github.addToInstallation(world.github.world.installations[0]!, [next]);
    await world.settle();
    expect(await tasksUnder("acme/shop")).toBe(0);
    await world.rescript("other", { writes: { "other.txt": "other\n" } });
    ann.moveCard(issue, "Ready");
    await world.until("it is in review", () => world.columnOf(issue) === "In review");
    expect(await tasksUnder("acme/shop")).toBe(1);
    const { runs } = await world.app.store.readRepo(repoName("acme/shop"));
    expect(runs.map(({ id }) => id)).toEqual([`acme.shop-${next.id}.1.1`]);
    const own = world.pulls().find(({ repository }) => repository === world.repository);
    world.github.as("bob").approve(own!);
    await world.untilColumn("Done", "task");
    expect(world.columnOf(issue)).toBe("In review");
    expect(await mirrors()).toEqual(["acme/shop.git", "acme/store.git"]);
  });

  further("goes on when the server was down meanwhile", async () => {
    await create();
    await readyTask();
    await world.untilColumn("In review", "task");
    await world.stopApp();
    world.github.as("ann").renameRepository(world.repository, "store");
    await world.startApp();
    world.github.as("bob").approve(world.pull("task"));
    await world.untilColumn("Done", "task");
    expect((await world.status()).notices.join()).not.toContain("lost");
  });
});

describe("a server that is killed while it follows a new name", () => {
  further("brings the rest to it at the next start, with the work that was saved", async () => {
    await create();
    const attempts = { 1: { waitFor: ["never"] } };
    await readyTask({
      files: ["src/**"],
      script: { writes: { "src/end.txt": "end\n" }, attempts },
    });
    await world.until("the agent is at work", async () =>
      (await world.journal()).some(({ what }) => what === "started"),
    );
    const [run] = (await world.app.store.readRepo(world.repo)).runs;
    await writeFile(join(run?.workspace ?? "", "src", "half.txt"), "half\n");
    await world.stopApp();
    world.github.as("ann").renameRepository(world.repository, "store");
    const path = join(world.folder, "app", "store");
    const store = await openStore({ path, now: () => instant(Date.now()) });
    const [from, to] = [repoName("acme/shop"), repoName("acme/store")];
    const at = instant(Date.now());
    await store.record(from, [{ kind: "repo-renamed", id: world.repository.id, from, to, at }]);
    await store.close();
    expect(await mirrors()).toEqual(["acme/shop.git"]);

    await world.startApp();
    await world.untilColumn("In review", "task");
    expect(await mirrors()).toEqual(["acme/store.git"]);
    expect(await world.git("show", "wavetrain/1:src/half.txt")).toBe("half");
    expect((await world.status()).notices.join()).not.toContain("lost");
  });
});

describe("a repository that is transferred", () => {
  further("goes on in another organization where the app is installed", async () => {
    await create();
    const [installation] = world.github.world.installations;
    world.github.addOrganization("globex");
    const columns = ["Backlog", "Ready", "In progress", "In review", "Queued", "Blocked", "Done"];
    const board = world.github.addProject({ org: "globex", title: "Board", columns });
    const { permissions, events } = installation!;
    world.github.installApp({ account: "globex", permissions, events });
    await readyTask();
    await world.untilColumn("In review", "task");
    await world.settle();
    world.github.as("ann").transferRepository(world.repository, "globex");
    world.github.addCard(board, world.issue("task"), "In review");
    await world.until("the store knows", async () => (await tasksUnder("globex/shop")) === 1);
    world.github.as("bob").approve(world.pull("task"));
    await world.until("it has landed", async () => (await world.taskState("task")) === "landed");
    expect(await world.mainFiles()).toHaveProperty("src/task.txt");
  });

  further(
    "waits where the app is not installed, says so, and goes on when it is back",
    async () => {
      await create();
      world.github.addOrganization("globex");
      await readyTask();
      await world.untilColumn("In review", "task");
      await world.settle();
      world.github.as("ann").transferRepository(world.repository, "globex");
      world.github.as("ann").removeFromInstallation(world.github.world.installations[0]!, []);
      await world.until("it is said", async () =>
        (await world.notices()).some((line) => line.includes("does not see this repository")),
      );
      world.github.as("ann").transferRepository(world.repository, "acme");
      world.github.addToInstallation(world.github.world.installations[0]!, [world.repository]);
      world.github.as("bob").approve(world.pull("task"));
      await world.untilColumn("Done", "task");
    },
  );
});
