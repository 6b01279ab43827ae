import { afterEach, describe, expect, it } from "vitest";
import { further } from "../support/further.ts";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

describe("setup", () => {
  it("may take as long as timeouts.verify says, whatever the run may take", async () => {
    const limits = { attempts: 1, failures: { infrastructure: 1 } };
    const timeouts = { run: "1h", verify: "300ms" };
    world = await World.create({ repository: { setup: "sleep 60", timeouts, limits } });
    await world.addTask({ id: "slow", files: ["src/a.txt"] });
    world.moveToReady("slow");
    await world.untilColumn("Blocked", "slow");
    await world.settle();
    expect(world.comments("slow")[0]).toContain("took longer than");
  });
});

describe("attempts", () => {
  it("tries again after a failed run and lands the result", async () => {
    world = await World.create();
    world.approveEverything();
    await world.addTask({
      id: "flaky",
      files: ["src/flaky.txt"],
      script: { failures: 1, writes: { "src/flaky.txt": "at last\n" } },
    });
    world.moveToReady("flaky");
    await world.untilColumn("Done", "flaky");

    const starts = (await world.journal()).filter(({ what }) => what === "started");
    expect(starts.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(await world.agentFile("flaky.prompt")).toContain("attempt 2");
  });

  further(
    "gives up when the attempts are used up, and starts again when the card is moved to Ready again",
    async () => {
      world = await World.create({ repository: { limits: { attempts: 2 } } });
      world.approveEverything();
      await world.addTask({ id: "hard", files: ["src/hard.txt"], script: { failures: 9 } });
      world.moveToReady("hard");
      await world.untilColumn("Blocked", "hard");
      await world.settle();
      expect(world.comments("hard")[0]).toContain("gave up after 2 attempts");

      await world.rescript("hard", { writes: { "src/hard.txt": "done\n" } });
      await world.nextSecond();
      world.moveToReady("hard");
      await world.untilColumn("Done", "hard");
      const starts = (await world.journal()).filter(({ what }) => what === "started");
      expect(starts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    },
  );

  further("one failing task never fails its neighbours", async () => {
    world = await World.create({ repository: { limits: { attempts: 1 } } });
    world.approveEverything();
    await world.addTasks([
      { id: "bad", files: ["src/bad.txt"], script: { failures: 9 } },
      { id: "good", files: ["src/good.txt"] },
      { id: "after", files: ["src/after.txt"], dependsOn: ["bad"] },
    ]);
    world.moveToReady("bad", "good", "after");
    await world.untilColumn("Done", "good");
    await world.untilColumn("Blocked", "bad", "after");
    await world.settle();
    expect(world.comments("after")[0]).toMatch(/#1/);
  });

  it("does not accept a change that the verify command refuses", async () => {
    world = await World.create({
      repository: { verify: "! test -f src/broken.txt", limits: { attempts: 1 } },
    });
    await world.addTask({ id: "broken", files: ["src/broken.txt"] });
    world.moveToReady("broken");
    await world.untilColumn("Blocked", "broken");
    expect(world.pulls()).toEqual([]);
  });

  it("does not accept a run that changed nothing", async () => {
    world = await World.create({ repository: { limits: { attempts: 1 } } });
    await world.addTask({ id: "lazy", files: ["src/lazy.txt"], script: {} });
    world.moveToReady("lazy");
    await world.untilColumn("Blocked", "lazy");
    await world.settle();
    expect(world.comments("lazy")[0]).toContain("without changing anything");
  });

  it("ends the run when its card is moved away, and removes its workspace", async () => {
    world = await World.create();
    await world.addTask({ id: "long", files: ["src/long.txt"], script: { waitFor: ["never"] } });
    world.moveToReady("long");
    await world.until("the run started", async () => (await world.journal()).length > 0);
    await world.untilColumn("In progress", "long");
    world.moveCard("long", "Backlog");
    await world.until(
      "the task is cancelled",
      async () => (await world.taskState("long")) === "cancelled",
    );
    await world.settle();
    expect(world.pulls()).toEqual([]);
    expect(await world.workspaces()).toEqual([]);
  });
});

describe("what a runner sees", () => {
  it("gets its task and nothing of the server's secrets", async () => {
    world = await World.create();
    await world.addTask({
      id: "peek",
      files: ["src/peek.txt"],
      body: "Look around. <!-- hidden words -->",
    });
    world.moveToReady("peek");
    await world.untilColumn("In review", "peek");

    const environment = await world.agentFile("peek.env");
    expect(environment).not.toContain("SECRET_OF_THE_SERVER");
    expect(environment.split("\n")).toContain("WAVETRAIN_TASK_ID=peek");
    expect(environment.split("\n")).toContain("WAVETRAIN_TASK_TITLE=Task peek");
    const prompt = await world.agentFile("peek.prompt");
    expect(prompt).toContain("Look around.");
    expect(prompt).not.toContain("hidden words");
  });
});

describe("bad input", () => {
  it.each([
    ["an absolute path", "/etc/passwd"],
    ["a path that leaves the repository", "../secret"],
    ["git's own folder", ".git/config"],
  ])("answers %s on the issue and runs nothing", async (_, path) => {
    world = await World.create();
    await world.addTask({ id: "bad", files: [path] });
    world.moveToReady("bad");
    await world.untilColumn("Blocked", "bad");
    await world.settle();
    expect(world.comments("bad")[0]).toContain(path);
    expect(await world.journal()).toEqual([]);
  });

  further("names the members of a dependency cycle and runs the rest", async () => {
    world = await World.create();
    world.approveEverything();
    await world.addTask({ id: "egg", files: ["src/egg.txt"], body: "Depends on #2" });
    await world.addTask({ id: "hen", files: ["src/hen.txt"], dependsOn: ["egg"] });
    await world.addTask({ id: "cow", files: ["src/cow.txt"] });
    world.moveToReady("egg", "hen", "cow");
    await world.untilColumn("Blocked", "egg", "hen");
    await world.untilColumn("Done", "cow");
    expect(world.comments("egg")[0]).toMatch(/#1.*#2|#2.*#1/);
  });
});

describe("dependencies off the board", () => {
  further(
    "counts a closed issue as done, holds back what depends on an open one, and names one that does not exist",
    async () => {
      world = await World.create({ operator: { reconcileEvery: "500ms" } });
      const ann = world.github.as("ann");
      const repo = world.repository;
      const closed = ann.openIssue({ repo, title: "Closed", body: "" });
      const open = ann.openIssue({ repo, title: "Open", body: "" });
      ann.closeIssue(closed);
      await world.addTasks([
        { id: "after-closed", files: ["src/1.txt"], body: `Depends on #${closed.number}` },
        { id: "after-open", files: ["src/2.txt"], body: `Depends on #${open.number}` },
        { id: "after-nothing", files: ["src/3.txt"], body: "Depends on #4711" },
      ]);
      world.moveToReady("after-closed", "after-open", "after-nothing");
      await world.untilColumn("In review", "after-closed");
      await world.untilColumn("Blocked", "after-nothing", "after-open");
      await world.settle();
      expect(world.comments("after-open")[0]).toContain(
        `#${open.number}, which is open but not ready`,
      );
      expect(world.comments("after-nothing")[0]).toContain("#4711");

      ann.closeIssue(open);
      await world.untilColumn("In review", "after-open");
    },
  );
});
