import { afterEach, describe, expect, it } from "vitest";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

const child = (id: string) => ({ id, body: `### Files\n\n- src/${id}.txt` });

async function reasonOf(id: string): Promise<string | undefined> {
  const tasks = await world.tasks();
  return tasks.find(({ issue }) => issue === world.issue(id).number)?.reason;
}

async function pullOf(id: string): Promise<ReturnType<World["pull"]>> {
  await world.untilColumn("In review", id);
  return world.pull(id);
}

describe("what a task waits for", () => {
  it("is every task of the phase that its own phase depends on; closing and reopening by hand counts", async () => {
    world = await World.create();
    const ann = world.github.as("ann");
    await world.addTasks([
      { id: "phase-a", labels: ["parallel-safe"] },
      { id: "phase-b", labels: ["parallel-safe"] },
      child("left"),
      child("right"),
      child("after"),
    ]);
    for (const id of ["left", "right"]) ann.adopt(world.issue("phase-a"), world.issue(id));
    ann.adopt(world.issue("phase-b"), world.issue("after"));
    ann.block(world.issue("phase-b"), world.issue("phase-a"));

    world.moveToReady("left", "after");
    await world.untilColumn("Blocked", "after");
    expect(await reasonOf("after")).toBe(
      `depends on #${world.issue("right").number}, which is open but not ready`,
    );
    world.github.as("bob").approve(await pullOf("left"));
    await world.untilColumn("Done", "left");
    await world.settle();
    expect(await world.attemptsOf("after")).toEqual([]);
    // Somebody does the last one by hand.
    ann.closeIssue(world.issue("right"), "completed");
    await world.untilColumn("In review", "after");
    expect((await world.tasks()).map(({ spec }) => spec.parallelSafe)).toEqual([true, true]);
    expect(world.issue("phase-a").state).toBe("open");

    ann.reopenIssue(world.issue("left"));
    await world.addTask({ id: "late", files: ["src/late.txt"], dependsOn: ["left"] });
    world.moveToReady("late");
    await world.untilColumn("Blocked", "late");
    expect(await reasonOf("late")).toContain("which is open but not ready");
    ann.closeIssue(world.issue("left"), "completed");
    await world.untilColumn("In review", "late");
  });
});
