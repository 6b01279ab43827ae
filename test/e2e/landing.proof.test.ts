import { afterEach, describe, expect, it } from "vitest";
import { further } from "../support/further.ts";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

/** One task whose pull request waits for a review. */
async function underReview(options: Parameters<typeof World.create>[0] = {}): Promise<void> {
  world = await World.create(options);
  await world.addTask({ id: "task", files: ["src/task.txt"] });
  world.moveToReady("task");
  await world.untilColumn("In review", "task");
  await world.settle();
}

describe("landing", () => {
  further("lands once although the answer to the merge was lost", async () => {
    await underReview();
    world.github.faults.answer({
      matches: ({ method, path }) => method === "PUT" && path.endsWith("/merge"),
      status: 500,
      message: "Server Error",
      when: "after",
    });
    world.github.as("bob").approve(world.pull("task"));
    await world.untilColumn("Done", "task");
    expect(await world.git("rev-list", "--count", "main")).toBe("2");
  });

  further("signs every commit with the app's own address", async () => {
    world = await World.create();
    const ids = ["one", "two"];
    for (const id of ids) await world.addTask({ id, files: [`src/${id}.txt`] });
    world.approveEverything();
    world.moveToReady(...ids);
    await world.untilColumn("Done", ...ids);
    const { id, login } = world.github.world.app.bot;
    const self = `${login} <${id}+${login}@users.noreply.github.com>`;
    const made = await world.git(
      "log",
      "--format=%an <%ae>%n%cn <%ce>",
      "--all",
      "--not",
      "main~2",
    );
    expect(new Set(made.split("\n"))).toEqual(new Set([self]));
  });

  further("tries again when the merge failed before it happened", async () => {
    await underReview();
    world.github.faults.answer({
      matches: ({ method, path }) => method === "PUT" && path.endsWith("/merge"),
      status: 502,
      message: "Bad Gateway",
    });
    world.github.as("bob").approve(world.pull("task"));
    await world.untilColumn("Done", "task");
    expect(await world.git("rev-list", "--count", "main")).toBe("2");
  });

  further(
    "verifies again on top of a base that someone else moved, and lands nothing that verify wrote",
    async () => {
      await underReview({ repository: { verify: "cat README.md src/*.txt > src/report.txt" } });
      const bob = world.github.as("bob");
      await bob.push(world.repository, "main", {
        files: { "src/other.txt": "other\n" },
        message: "Other",
      });
      bob.approve(world.pull("task"));
      await world.untilColumn("Done", "task");
      expect(await world.mainFiles()).toMatchObject({
        "src/other.txt": "other\n",
        "src/task.txt": "task\n",
      });
      expect(await world.mainFiles()).not.toHaveProperty("src/report.txt");
    },
  );

  it("does not land commits that came after the approval", async () => {
    await underReview();
    const bob = world.github.as("bob");
    const pull = world.pull("task");
    bob.approve(pull);
    await bob.push(world.repository, pull.headRef, {
      files: { "src/late.txt": "late\n" },
      message: "Late",
    });
    await world.settle();
    expect(await world.mainFiles()).not.toHaveProperty("src/late.txt");
  });

  it("sends a change that fails on the new base back to a run, with what went wrong", async () => {
    await underReview({
      repository: { verify: "! (test -f src/task.txt && test -f src/veto.txt)" },
    });
    const bob = world.github.as("bob");
    await bob.push(world.repository, "main", {
      files: { "src/veto.txt": "no\n" },
      message: "Veto",
    });
    await world.rescript("task", {
      writes: { "src/task.txt": "task\n" },
      deletes: ["src/veto.txt"],
    });
    bob.approve(world.pull("task"));
    await world.until("a second attempt", async () =>
      (await world.journal()).some(({ attempt }) => attempt === 2),
    );
    expect(await world.agentFile("task.prompt")).toContain("fails the verify command");
    await world.settle();
    expect(await world.mainFiles()).not.toHaveProperty("src/task.txt");
  });

  further(
    "sends a change that conflicts with the base back to a run, and lands the new one on approval",
    async () => {
      // A conflict is no failed attempt.
      await underReview({ repository: { limits: { attempts: 1 } } });
      const bob = world.github.as("bob");
      await bob.push(world.repository, "main", {
        files: { "src/task.txt": "mine\n" },
        message: "Mine",
      });
      bob.approve(world.pull("task"));
      await world.until("a second attempt", async () =>
        (await world.journal()).some(({ attempt }) => attempt === 2),
      );
      await world.settle();
      expect(world.pulls()).toHaveLength(1);
      bob.approve(world.pull("task"));
      await world.untilColumn("Done", "task");
      expect(await world.mainFiles()).toMatchObject({ "src/task.txt": "task\n" });
    },
  );

  it("notices a pull request that someone else merged", async () => {
    await underReview();
    await world.github.as("bob").merge(world.pull("task"));
    await world.untilColumn("Done", "task");
  });

  it("gives the task up when its pull request is closed", async () => {
    await underReview();
    world.github.as("bob").closePullRequest(world.pull("task"));
    await world.until(
      "the task is cancelled",
      async () => (await world.taskState("task")) === "cancelled",
    );
  });

  it("lands without a verify command where the configuration allows it", async () => {
    await underReview({ operator: { repositories: { "acme/shop": { allowUnverified: true } } } });
    world.github.as("bob").approve(world.pull("task"));
    await world.untilColumn("Done", "task");
  });

  it("does not land what nothing verifies", async () => {
    const repositories = { "acme/shop": { report: { waitingAfter: 0 } } };
    await underReview({ operator: { repositories } });
    world.github.as("bob").approve(world.pull("task"));
    await world.settle();
    expect(world.pull("task").state).toBe("open");
    expect(world.comments("task")[0]).toContain("nothing verifies it");
  });
});

describe("a GitHub in trouble", () => {
  further("goes on after server errors and makes no second comment for a lost answer", async () => {
    world = await World.create({ operator: { reconcileEvery: "300ms" } });
    world.approveEverything();
    world.github.faults.answer({
      matches: ({ method, path }) => method === "POST" && path.endsWith("/comments"),
      status: 500,
      message: "Server Error",
      when: "after",
    });
    world.github.faults.answer({
      matches: ({ route }) => route === "/graphql",
      status: 503,
      message: "Unavailable",
      times: 2,
    });
    await world.addTask({ id: "task", files: ["src/task.txt"] });
    world.moveToReady("task");
    await world.untilColumn("Done", "task");
    await world.settle();
    expect(world.comments("task")).toHaveLength(1);
  });

  it("takes a board that reads as null for an error, not for an empty board", async () => {
    world = await World.create({ operator: { reconcileEvery: "300ms" } });
    await world.addTask({
      id: "task",
      files: ["src/task.txt"],
      script: { waitFor: ["go"], writes: { "src/task.txt": "x\n" } },
    });
    world.moveToReady("task");
    await world.until("the run started", async () => (await world.journal()).length > 0);
    const before = world.github.calls().graphql;
    world.github.faults.nullBoard = true;
    world.github.as("ann").editIssue(world.issue("task"), { title: "Another title" });
    await world.until("the board was read", () => world.github.calls().graphql > before);
    world.github.faults.nullBoard = false;
    await world.signalAgents("go");
    await world.untilColumn("In review", "task");
  });
});
