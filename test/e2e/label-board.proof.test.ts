import { afterEach, describe, expect, it } from "vitest";
import type { Comment } from "../../local-github/model/issue.ts";
import { further } from "../support/further.ts";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

/** Of the labels that tell where a task is, those that the issue has. */
const STATES = ["ready", "in-progress", "in-review", "queued", "done", "blocked"];
function states(id: string): readonly string[] {
  return world.labels(id).filter((label) => STATES.includes(label));
}

/** A tick has come and gone. */
async function answered(comment: Comment): Promise<void> {
  await world.until("it is answered", () => comment.reactions.length > 0);
}

/** As on the page of labels: it comes off every issue. */
function deleteLabel(name: string): void {
  for (const thread of world.github.world.threads.values()) {
    thread.labels = thread.labels.filter((label) => label.name !== name);
  }
  const { labels } = world.repository;
  labels.splice(
    labels.findIndex((label) => label.name === name),
    1,
  );
}

describe("a personal repository, where labels are the board", () => {
  it("turns an issue with the label ready into a commit on main and labels it on the way", async () => {
    world = await World.create({ personal: true });
    await world.addTask({ id: "greet", files: ["src/greet.txt"] });

    world.github.as("bob").label(world.issue("greet"), "ready");
    await world.untilLabel("in-review", "greet");
    await world.settle();
    expect(states("greet")).toEqual(["in-review"]);

    world.github.as("bob").approve(world.pull("greet"));
    await world.untilLabel("done", "greet");
    await world.settle();
    expect(states("greet")).toEqual(["done"]);
    expect(world.labels("greet")).toContain("parallel-safe");
    expect(world.issue("greet").state).toBe("closed");
    expect(await world.mainFiles()).toMatchObject({ "src/greet.txt": "greet\n" });
  });

  further(
    "does not run what a stranger's form labelled, and runs it once someone with write access did",
    async () => {
      world = await World.create({ personal: true });
      const task = { id: "form", files: ["src/form.txt"] };
      await world.addTask(task);
      const issue = world.github.as("eve").openIssue({
        repo: world.repository,
        title: "From a form",
        body: world.issue("form").body,
        labels: ["ready", "parallel-safe"],
      });
      const labels = () => issue.labels.map(({ name }) => name);
      await world.until("it is held back", () => labels().includes("blocked"));
      await world.settle();
      expect(await world.journal()).toEqual([]);
      expect(issue.comments[0]?.body).toContain("made ready by eve");

      // People add the label without taking the old one off.
      await world.nextSecond();
      world.github.as("bob").label(issue, "ready");
      await world.until("it is worked on", () => labels().includes("in-review"));
      expect(labels()).not.toContain("blocked");
      expect(labels()).not.toContain("ready");
    },
  );

  it("stops a run when its label is taken off", async () => {
    world = await World.create({ personal: true });
    await world.addTask({
      id: "slow",
      files: ["src/slow.txt"],
      script: { waitFor: ["never"], writes: { "src/slow.txt": "slow\n" } },
    });
    world.github.as("ann").label(world.issue("slow"), "ready");
    await world.untilLabel("in-progress", "slow");
    await world.until("it is at work", async () => (await world.attemptsOf("slow")).length === 1);

    world.github.as("ann").unlabel(world.issue("slow"), "in-progress");
    await world.until(
      "the task is cancelled",
      async () => (await world.taskState("slow")) === "cancelled",
    );
    expect(states("slow")).toEqual([]);
  });

  further(
    "goes by the label that was put on last, and stops no run when somebody deletes a label",
    async () => {
      world = await World.create({ personal: true });
      const script = { waitFor: ["go"], writes: { "src/slow.txt": "slow\n" } };
      await world.addTask({ id: "slow", files: ["src/slow.txt"], script });
      const ann = world.github.as("ann");
      ann.label(world.issue("slow"), "done", "ready");
      await world.untilLabel("in-progress", "slow");
      await world.until("it is at work", async () => (await world.attemptsOf("slow")).length === 1);
      expect(states("slow")).toEqual(["in-progress"]);
      await answered(ann.comment(world.issue("slow"), "/help"));

      deleteLabel("in-progress");
      ann.editIssue(world.issue("slow"), { title: "Slower" });
      await world.until("it is said", async () =>
        (await world.notices()).some((notice) =>
          notice.includes('no label "in-progress" any more'),
        ),
      );
      await answered(ann.comment(world.issue("slow"), "/help"));
      expect(await world.taskState("slow")).toBe("running");
      await world.signalAgents("go");
      await world.untilLabel("in-review", "slow");
      expect(states("slow")).toEqual(["in-review"]);
    },
  );

  further("takes the labels that the repository chose", async () => {
    world = await World.create({
      repository: { board: { kind: "labels", labelPrefix: "train: ", labels: { ready: "go" } } },
    });
    await world.addTask({ id: "named", files: ["src/named.txt"] });
    world.github.as("ann").label(world.issue("named"), "train: go");
    await world.untilLabel("train: in-review", "named");
    expect(world.labels("named")).not.toContain("train: go");
    expect(world.column("named")).toBe("Backlog");
  });
});
