import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setDraft } from "../../../local-github/actions/pulls/pull-state.ts";
import { further } from "../../support/further.ts";
import type { World } from "../../support/world.ts";
import { Gate, approve, entryOf, storyOf, taskOf, underReview } from "./scene.ts";

let world: World;
let gate: Gate;

beforeEach(async () => {
  gate = await Gate.create();
});

afterEach(async () => {
  await world.close();
  await gate.remove();
});

async function untilVerifiedOn(base: string, id: string): Promise<void> {
  await world.until(`${id} is verified on ${base}`, async () => {
    const entry = await entryOf(world, id);
    return entry?.state === "verifying" && entry.candidate?.base === base;
  });
}

async function untilSaid(id: string, words: RegExp): Promise<void> {
  await world.until(`${id} says ${words.source}`, async () =>
    words.test((await taskOf(world, id))?.reason ?? ""),
  );
}

function push(files: Record<string, string>): Promise<string> {
  const message = Object.keys(files).join(" ");
  return world.github.as("ann").push(world.repository, "main", { files, message });
}

describe("a base moved while testing", () => {
  it("has the change verified again, and it lands on what is there: pushed on, or forced back", async () => {
    world = await underReview({ repository: { verify: gate.before("task/file.txt") } });
    const first = await push({ "first.txt": "1\n" });
    await world.settle();
    await gate.shut();
    approve(world, "task");
    await untilVerifiedOn(first, "task");
    const second = await push({ "second.txt": "2\n" });
    await untilVerifiedOn(second, "task");
    await world.git("update-ref", "refs/heads/main", `${first}~`);
    await world.github.refresh(world.repository);
    const third = await push({ "third.txt": "3\n" });
    await untilVerifiedOn(third, "task");
    await gate.open();
    await world.untilColumn("Done", "task");
    expect(await world.git("rev-parse", "main~")).toBe(third);
    expect(Object.keys(await world.mainFiles())).toEqual(
      expect.arrayContaining(["task/file.txt", "third.txt"]),
    );
    expect(await world.mainFiles()).not.toHaveProperty("second.txt");
    expect(await storyOf(world, "task")).toContain("main is not what it was to be verified on");
    expect((await world.app.store.readRepo(world.repo)).trains).toMatchObject([
      { state: "running" },
    ]);
  });
});

describe("an approved change whose pull request changes while the train has it", () => {
  further(
    "leaves with a reason when it has new commits, is a draft, is closed or its review dismissed; the others land",
    async () => {
      const ids = ["pushed", "drafted", "closed", "dismissed", "steady"] as const;
      world = await underReview({ repository: { verify: gate.before("pushed/file.txt") } }, ...ids);
      const [bob, ann] = [world.github.as("bob"), world.github.as("ann")];
      await gate.shut();
      const pull = (id: string) => world.pull(id);
      const reviews = new Map(ids.map((id) => [id, bob.approve(pull(id))]));
      await world.until("all are in the train", async () => {
        const tasks = await world.tasks();
        return tasks.every(({ state }) => state === "queued");
      });

      const late = { files: { "pushed/late.txt": "late\n" }, message: "Late" };
      await bob.push(world.repository, pull("pushed").headRef, late);
      setDraft(world.github.world, pull("drafted"), { draft: true, actor: bob.user });
      ann.closePullRequest(pull("closed"));
      const review = reviews.get("dismissed");
      if (review !== undefined) ann.dismissReview(review);
      await untilSaid("pushed", /#\d+ has new commits since it was approved/);
      await untilSaid("drafted", /#\d+ was made a draft/);
      await untilSaid("closed", /#\d+ was closed by someone else/);
      await untilSaid("dismissed", /the approval of #\d+ was withdrawn/);
      await world.untilColumn("Done", "steady");
      await gate.open();
      await world.settle();
      expect(
        Object.keys(await world.mainFiles()).filter((path) => path.endsWith("file.txt")),
      ).toEqual(["steady/file.txt"]);
      expect(await world.taskState("closed")).toBe("cancelled");
      expect(world.comments("dismissed").join("\n")).toContain("was withdrawn");

      setDraft(world.github.world, pull("drafted"), { draft: false, actor: bob.user });
      approve(world, "pushed", "dismissed");
      await world.untilColumn("Done", "pushed", "drafted", "dismissed");
      expect(await world.mainFiles()).toMatchObject({ "pushed/late.txt": "late\n" });
    },
  );
});

describe("two approved changes that conflict with each other only", () => {
  further(
    "land as far as they fit: the second says so, and goes to a run that is told",
    async () => {
      const train = { window: 2, batch: 1 };
      const verify = gate.before("first/file.txt");
      world = await underReview({ repository: { train, verify } }, "first", "second");
      const bob = world.github.as("bob");
      for (const id of ["first", "second"]) {
        const change = { files: { "shared.txt": `${id}\n` }, message: id };
        await bob.push(world.repository, world.pull(id).headRef, change);
      }
      await world.settle();
      await gate.shut();
      approve(world, "first");
      await world.until("it is verified", async () => {
        return (await entryOf(world, "first"))?.state === "verifying";
      });
      approve(world, "second");
      const said = /#\d+ conflicts in shared.txt with what is ahead of it/;
      await world.until("the second says so", async () =>
        said.test((await entryOf(world, "second"))?.reason ?? ""),
      );
      await gate.open();
      await world.untilColumn("Done", "first");
      await world.until("a second attempt", async () =>
        (await world.attemptsOf("second")).includes(2),
      );
      expect(await world.attemptsOf("first")).toEqual([1]);
      expect(await world.agentFile("second.prompt")).toContain("conflicts with main in shared.txt");
      expect(await world.mainFiles()).toMatchObject({ "shared.txt": "first\n" });
    },
  );
});
