import { afterEach, describe, expect, it } from "vitest";
import {
  addToInstallation,
  removeFromInstallation,
} from "../../local-github/actions/installations.ts";
import {
  addItem,
  archiveItem,
  deleteItem,
  setItemStatus,
} from "../../local-github/actions/threads/projects.ts";
import { identity } from "../../local-github/model/ids.ts";
import { findField } from "../../local-github/model/project.ts";
import type { ProjectItem } from "../../local-github/model/project.ts";
import { register, stamp } from "../../local-github/model/world.ts";
import { further } from "../support/further.ts";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

function cardOf(id: string): ProjectItem {
  const item = world.project.items.find(({ content }) => content === world.issue(id));
  if (item === undefined) throw new Error(`${id} has no card`);
  return item;
}

/** Somebody renames a column on the project's settings page. */
function renameColumn(from: string, to: string): void {
  const field = findField(world.project, "Status");
  if (field === undefined) throw new Error("there is no Status");
  field.options = field.options.map((option) =>
    option.name === from ? { ...option, name: to } : option,
  );
}

const SLOW = {
  id: "slow",
  files: ["src/slow.txt"],
  script: { waitFor: ["go"], writes: { "src/slow.txt": "slow\n" } },
};

async function startSlow(): Promise<void> {
  await world.addTask(SLOW);
  world.moveToReady("slow");
  await world.until("it is at work", async () => (await world.attemptsOf("slow")).length === 1);
  await world.untilColumn("In progress", "slow");
}

describe("a board that is not as it should be", () => {
  it("says which permission is missing when the project cannot be read, and waits", async () => {
    world = await World.create({ without: "organization_projects" });
    await world.addTask({ id: "task", files: ["src/a.txt"] });
    world.moveToReady("task");
    await world.settle();

    expect(await world.notices()).toContainEqual(
      expect.stringMatching(/project 1 of acme cannot be read.*organization permission Projects/),
    );
    expect(await world.journal()).toEqual([]);
  });

  further(
    "names a column that was renamed, leaves the board alone and goes on with the others",
    async () => {
      world = await World.create();
      renameColumn("In progress", "Doing");
      await world.addTask({ id: "task", files: ["src/a.txt"] });
      world.moveToReady("task");
      await world.untilColumn("In review", "task");
      await world.settle();

      expect(await world.notices()).toContainEqual(
        expect.stringContaining(
          'project 1 has no column "In progress": add it, or set board.columns.running to one of',
        ),
      );
      const names = findField(world.project, "Status")?.options.map(({ name }) => name);
      expect(names).toContain("Doing");
      expect(names).not.toContain("In progress");
    },
  );

  it("says of a draft in Ready that it has to become an issue first", async () => {
    world = await World.create();
    const { world: model } = world.github;
    const creator = world.github.as("ann").user;
    const content = register(model, {
      kind: "draft-issue" as const,
      ...identity(model, "DI"),
      creator,
      title: "Some day",
      body: "",
      createdAt: stamp(model),
      updatedAt: stamp(model),
    });
    const item = addItem(model, world.project, { content, actor: creator });
    const ready = findField(world.project, "Status")?.options.find(({ name }) => name === "Ready");
    setItemStatus(model, item, { optionId: ready?.id ?? "", actor: creator });
    await world.settle();

    expect(await world.notices()).toContainEqual(
      expect.stringContaining('"Some day" in "Ready": a draft belongs to no repository'),
    );
  });

  it("stops no run when its column is renamed, stops it when its card goes back to Backlog, and starts nothing once the project is closed", async () => {
    world = await World.create({ operator: { reconcileEvery: "500ms" } });
    await startSlow();
    renameColumn("In progress", "Doing");
    const said = (words: string) => async () =>
      (await world.notices()).some((notice) => notice.includes(words));
    world.github.as("ann").editIssue(world.issue("slow"), { title: "Slow" });
    await world.until("it is said", said('has no column "In progress"'));
    const later = world.github.as("ann").comment(world.issue("slow"), "/help");
    await world.until("it is answered", () => later.reactions.length > 0);
    expect(await world.taskState("slow")).toBe("running");

    renameColumn("Doing", "In progress");
    world.moveCard("slow", "Backlog");
    await world.until("it is over", async () => (await world.taskState("slow")) === "cancelled");
    await world.until("it says so", () =>
      world.comments("slow").join("").includes("its card was moved away from Ready"),
    );
    expect(world.column("slow")).toBe("Backlog");

    world.project.closed = true;
    await world.addTask({ id: "late", files: ["src/late.txt"] });
    world.moveToReady("late");
    await world.until("it is said", said("project 1 of acme is closed: reopen it"));
    await world.settle();
    expect(await world.attemptsOf("late")).toEqual([]);
    world.project.closed = false;
    world.github.as("ann").editIssue(world.issue("late"), { title: "Late" });
    await world.untilColumn("In review", "late");
    expect(await world.notices()).not.toContainEqual(expect.stringContaining("project 1"));
  });

  further("holds what waits while its card is archived, and goes on when it is back", async () => {
    world = await World.create({ operator: { slots: 1 } });
    await startSlow();
    await world.addTask({ id: "waits", files: ["src/waits.txt"] });
    world.moveToReady("waits");
    await world.until("it waits", async () => (await world.taskState("waits")) === "waiting");
    const actor = world.github.as("ann").user;
    archiveItem(world.github.world, cardOf("waits"), { archived: true, actor });
    await world.until("it is held", async () => (await world.taskState("waits")) === "blocked");
    await world.until("it says so", () =>
      world.comments("waits").join("").includes("GitHub does not say who did that"),
    );
    archiveItem(world.github.world, cardOf("waits"), { archived: false, actor });
    await world.signalAgents("go");
    await world.untilColumn("In review", "slow", "waits");
  });

  it("stops a run whose issue is deleted or transferred, and keeps its work", async () => {
    world = await World.create();
    await startSlow();
    const { threads } = world.github.world;
    for (const [key, thread] of threads) if (thread === world.issue("slow")) threads.delete(key);
    deleteItem(world.github.world, cardOf("slow"), world.github.as("ann").user);

    await world.until("it is over", async () => (await world.taskState("slow")) === "cancelled");
    await world.settle();
    expect(await world.workspaces()).toEqual([]);
  });

  further(
    "stops the runs of a repository that was transferred away, keeps their work and goes on when it is back",
    async () => {
      world = await World.create();
      world.approveEverything();
      await startSlow();
      const [installation] = world.github.world.installations;
      if (installation === undefined) throw new Error("the app is not installed");
      const change = { repositories: [world.repository], actor: world.github.as("ann").user };
      removeFromInstallation(world.github.world, installation, change);
      await world.until(
        "its run is over",
        async () => (await world.taskState("slow")) === "waiting",
      );
      await world.until(
        "no workspace is left",
        async () => (await world.workspaces()).length === 0,
      );
      expect((await world.status()).repositories).toMatchObject([
        { repo: "acme/shop", notices: [expect.stringContaining("does not see this repository")] },
      ]);

      await world.rescript("slow", { writes: { "src/slow.txt": "done\n" } });
      addToInstallation(world.github.world, installation, change);
      await world.untilColumn("Done", "slow");
      expect((await world.status()).repositories).toMatchObject([{ notices: [] }]);
    },
  );

  further("runs the sub-issues of a parent that is blocked by them", async () => {
    world = await World.create();
    world.approveEverything();
    const [left, right] = [["left"], ["right"]].map(([id = ""]) => ({ id, files: [`src/${id}`] }));
    await world.addTasks([{ id: "phase" }, ...[left, right].flatMap((task) => task ?? [])]);
    const ann = world.github.as("ann");
    for (const id of ["left", "right"]) {
      ann.adopt(world.issue("phase"), world.issue(id));
      ann.block(world.issue("phase"), world.issue(id));
    }
    world.moveToReady("left", "right");
    await world.untilColumn("Done", "left", "right");
  });
});

describe("the fields of a project", () => {
  it("tell wave, runner and attempt where the project has them", async () => {
    world = await World.create({
      fields: [
        { name: "Wave", dataType: "NUMBER" },
        { name: "Runner", dataType: "TEXT" },
        { name: "Attempt", dataType: "NUMBER" },
      ],
    });
    await world.addTasks([
      { id: "one", files: ["src/a.txt"] },
      { id: "two", files: ["src/a.txt"] },
    ]);
    world.moveToReady("one", "two");
    await world.untilColumn("In review", "one");
    await world.settle();

    const values = (id: string) =>
      ["Wave", "Runner", "Attempt", "Cost"].map(
        (name) => cardOf(id).values.get(findField(world.project, name)?.nodeId ?? "")?.value,
      );
    expect(values("one")).toEqual([1, "agent", 1, undefined]);
    expect(values("two")).toEqual([2, undefined, undefined, undefined]);
  });
});
