import { afterEach, describe, expect, it } from "vitest";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

describe("from Ready to landed", () => {
  it("turns a card into a pull request and, once approved, into a commit on main", async () => {
    world = await World.create();
    await world.addTask({
      id: "greet",
      files: ["src/greet.txt"],
      script: { writes: { "src/greet.txt": "hello\n" } },
    });

    world.moveToReady("greet");
    await world.untilColumn("In review", "greet");

    const pull = world.pull("greet");
    expect(pull).toMatchObject({ state: "open", title: "Task greet" });
    expect(await world.mainFiles()).not.toHaveProperty("src/greet.txt");

    world.github.as("bob").approve(pull);
    await world.untilColumn("Done", "greet");
    await world.settle();

    expect(await world.mainFiles()).toMatchObject({ "src/greet.txt": "hello\n" });
    expect(world.issue("greet").state).toBe("closed");
    expect(pull.landing).not.toBeNull();
    expect(world.comments("greet")).toHaveLength(1);
    expect(world.comments("greet")[0]).toContain("**Landed**");
    expect(await world.git("branch", "--list", "wavetrain/*")).toBe("");
    expect(await world.git("log", "-1", "--format=%B", "main")).toContain(
      "Wavetrain-Task: acme/shop#1",
    );
  });

  it("does nothing before a card is moved to Ready and nothing lands without an approval", async () => {
    world = await World.create();
    await world.addTask({ id: "idle", files: ["src/idle.txt"] });
    await world.addTask({ id: "open", files: ["src/open.txt"] });
    world.moveToReady("open");
    await world.untilColumn("In review", "open");
    await world.settle();

    expect(world.column("idle")).toBe("Backlog");
    expect((await world.journal()).map(({ id }) => id)).not.toContain("idle");
    expect(world.pull("open").state).toBe("open");
    world.github.as("eve").approve(world.pull("open"));
    await world.settle();
    expect(world.pull("open").state).toBe("open");
  });

  it("runs disjoint tasks at the same time and conflicting ones never", async () => {
    world = await World.create();
    world.approveEverything();
    await world.addTasks([
      // Each of the first two goes on only when the other has started: they can only end by overlapping.
      {
        id: "left",
        files: ["src/a.txt"],
        script: { waitFor: ["right.started"], writes: { "src/a.txt": "left\n" } },
      },
      {
        id: "right",
        files: ["src/b.txt"],
        script: { waitFor: ["left.started"], writes: { "src/b.txt": "right\n" } },
      },
      { id: "both", files: ["src/"], script: { writes: { "src/c.txt": "both\n" } } },
    ]);

    world.moveToReady("left", "right", "both");
    await world.untilColumn("Done", "left", "right", "both");

    const journal = await world.journal();
    const at = (id: string, what: string): number =>
      journal.findIndex((line) => line.id === id && line.what === what);
    const apart = (a: string, b: string): boolean =>
      at(a, "ended") < at(b, "started") || at(b, "ended") < at(a, "started");
    expect(apart("left", "right")).toBe(false);
    expect(apart("both", "left")).toBe(true);
    expect(apart("both", "right")).toBe(true);
    expect(await world.mainFiles()).toMatchObject({
      "src/a.txt": "left\n",
      "src/b.txt": "right\n",
      "src/c.txt": "both\n",
    });
  });

  it("waits for dependencies to land and gives the dependent task their files", async () => {
    world = await World.create();
    world.approveEverything();
    await world.addTasks([
      { id: "first", files: ["src/first.txt"] },
      { id: "second", files: ["src/second.txt"], dependsOn: ["first"] },
    ]);
    world.moveToReady("second", "first");
    await world.untilColumn("Done", "first", "second");

    const log = await world.git("log", "--format=%s", "--reverse", "main");
    expect(log.split("\n").map((line) => line.replace(/ \(#\d+\)$/, ""))).toEqual([
      "Initial commit",
      "Task first",
      "Task second",
    ]);
  });

  it("says on the issue why a task waits", async () => {
    world = await World.create();
    await world.addTasks([
      { id: "one", files: ["src/shared.txt"] },
      { id: "two", files: ["src/shared.txt"] },
    ]);
    world.moveToReady("one", "two");
    await world.untilColumn("In review", "one");
    await world.settle();

    expect(world.column("two")).toBe("Ready");
    expect(world.comments("two")).toHaveLength(1);
    expect(world.comments("two")[0]).toContain("waits for #1: both may write src/shared.txt");
  });
});
