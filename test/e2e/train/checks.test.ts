import { afterEach, describe, expect, it } from "vitest";
import { createCheckRun } from "../../../local-github/actions/checks.ts";
import type { World } from "../../support/world.ts";
import { approve, entryOf, storyOf, underReview } from "./scene.ts";

let world: World;
afterEach(() => world.close());

/** Reports these checks on every candidate as soon as it is shown. */
function report(names: () => readonly string[]): void {
  const { world: github } = world.github;
  const actor = world.github.as("ann").user;
  github.listeners.push((event) => {
    if (event.name !== "push" || !event.ref.startsWith("refs/heads/wavetrain/candidate/")) return;
    const { after: headSha } = event;
    if (headSha === null) return;
    for (const name of names()) {
      createCheckRun(github, event.repository, { name, headSha, conclusion: "success", actor });
    }
  });
}

describe("check never reported", () => {
  it("is what the entry names while it waits, and ends each change alone, without bisecting", async () => {
    const train = { checks: ["build", "lint"], checksTimeout: "100ms" };
    world = await underReview({ repository: { train } }, "warm", "one", "two");
    let reported = ["build", "lint"];
    report(() => reported);
    approve(world, "warm");
    await world.untilColumn("Done", "warm");
    expect((await storyOf(world, "warm"))[0]).toMatch(/, waits for build, lint$/);

    reported = ["build"];
    world.github.as("ann").comment(world.issue("one"), "/pause");
    await world.settle();
    approve(world, "one", "two");
    await world.settle();
    world.github.as("ann").comment(world.issue("one"), "/resume");
    for (const id of ["one", "two"]) {
      await world.until(`${id} is sent back`, async () => {
        return (await entryOf(world, id))?.state === "rejected";
      });
      const story = await storyOf(world, id);
      const both = ["one", "two"].map((one) => `#${world.pull(one).number}`).toSorted();
      expect(story).toContainEqual(
        expect.stringMatching(`verifying ${both.join(", ")} on top of \\w+, waits for lint$`),
      );
      expect(story).toContain("their verification does not end: each is verified alone");
      expect(story.join("\n")).not.toContain("fails together");
      expect(story.at(-1)).toMatch(/the verification of #\d+ does not end: nobody reported lint/);
    }
    expect(await world.git("rev-list", "--count", "main")).toBe("2");
  });
});
