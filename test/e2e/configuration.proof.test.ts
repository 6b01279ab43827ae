import { afterEach, describe, expect, it } from "vitest";
import { further } from "../support/further.ts";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

const CONFIG = ".github/wavetrain.yml";

async function create(config: string): Promise<void> {
  const files = { "README.md": "# shop\n", [CONFIG]: config };
  // Nothing is fixed by the operator here: the repository's own file counts.
  world = await World.create({ files, operator: { repositories: {} } });
  world.approveEverything();
}

function configChecks() {
  return world.github.world.checkRuns.filter(({ name }) => name === "wavetrain config");
}

describe("the repository's file", () => {
  it("says how changes are verified and how columns are called", async () => {
    await create(
      "verify: test -f README.md\nboard:\n  columns: { review: Queued, queued: In review }\n",
    );
    await world.addTask({ id: "task", files: ["src/task.txt"] });
    world.moveToReady("task");
    await world.untilColumn("Done", "task");
  });

  it("is read again when a push changes it", async () => {
    await create("verify: 'false'\nlimits: { attempts: 1 }\n");
    await world.addTask({ id: "task", files: ["src/task.txt"] });
    world.moveToReady("task");
    await world.untilColumn("Blocked", "task");

    const files = { [CONFIG]: "verify: 'true'\n" };
    await world.github.as("ann").push(world.repository, "main", { files, message: "Mend" });
    await world.settle();
    await world.nextSecond();
    world.moveToReady("task");
    await world.untilColumn("Done", "task");
  });

  further("keeps the last good settings when the file becomes unreadable", async () => {
    await create("verify: test -f README.md\n");
    const files = { [CONFIG]: "verify: [not, a, command\n" };
    await world.github.as("ann").push(world.repository, "main", { files, message: "Break" });
    await world.settle();
    await world.addTask({ id: "task", files: ["src/task.txt"] });
    world.moveToReady("task");
    await world.untilColumn("Done", "task");
    expect(await world.mainFiles()).toHaveProperty("src/task.txt");
  });

  further(
    "is refused with a check on its commit that points at the line, until it is put right",
    async () => {
      await create("verify: test -f README.md\n");
      const push = (text: string) =>
        world.github
          .as("ann")
          .push(world.repository, "main", { files: { [CONFIG]: text }, message: "Change" });
      const broken = await push("verify: test -f README.md\nlimits:\n  paralel: 2\n");
      await world.settle();
      expect(configChecks()).toMatchObject([{ suite: { headSha: broken }, conclusion: "failure" }]);
      expect(configChecks()[0]?.output.summary).toContain("yml:3:3");
      expect(await world.notices()).toContainEqual(
        expect.stringContaining("did you mean parallel?"),
      );

      const mended = await push("verify: test -f README.md\n");
      await world.settle();
      expect(configChecks().slice(1)).toMatchObject([
        { suite: { headSha: mended }, conclusion: "success" },
      ]);
      expect((await world.notices()).join()).not.toContain("parallel");
    },
  );
});
