import { afterEach, describe, expect, it } from "vitest";
import type { CheckRun } from "../../local-github/model/check.ts";
import { World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

const VERIFY =
  "if test -f src/task.txt && test -f src/veto.txt; then echo src/task.txt:1: the veto stands; exit 1; fi";

function ownCheck(sha: string): CheckRun | undefined {
  return world.github.world.checkRuns.findLast(
    ({ name, suite }) => name === "wavetrain" && suite.headSha === sha,
  );
}

function annotationsOn(sha: string): readonly string[] {
  const found = ownCheck(sha)?.annotations ?? [];
  return found.map(
    ({ path, startLine, level, message }) => `${level} ${path}:${startLine} ${message}`,
  );
}

describe("what people see of a change", () => {
  it("is true for every attempt: text, trailers, and the lines that are in question", async () => {
    world = await World.create({ repository: { verify: VERIFY } });
    const first = { "src/task.txt": "task\n", "notes/extra.txt": "extra\n" };
    await world.addTask({
      id: "task",
      files: ["src/task.txt", "src/other.txt"],
      script: {
        writes: first,
        says: "Wrote the task.\nCloses #99, says @everyone.",
        attempts: { 2: { writes: { "src/other.txt": "other\n" }, says: "Wrote the other." } },
      },
    });
    world.moveToReady("task");
    await world.untilColumn("In review", "task");
    await world.settle();

    const pull = world.pull("task");
    const head = pull.headSha;
    expect(pull.body).toContain("Changed: 2 files, `notes/extra.txt`, `src/task.txt`");
    expect(pull.body).toContain("**Not declared, please look closely**: `notes/extra.txt`");
    expect(pull.body).toContain("passed on this change");
    expect(pull.body).toContain("Wrote the task.");
    expect(pull.body).toContain("attempt 1.");
    const message = await world.git("log", "-1", "--format=%B", pull.headRef);
    expect(message).toContain(`Wavetrain-Task: acme/shop#${world.issue("task").number}`);
    expect(message).not.toMatch(/#99|@everyone/);
    expect(annotationsOn(head)).toEqual([
      "warning notes/extra.txt:1 The task did not declare this file.",
    ]);

    const bob = world.github.as("bob");
    const veto = { files: { "src/veto.txt": "no\n" }, message: "Veto" };
    await bob.push(world.repository, "main", veto);
    bob.approve(pull);
    await world.until(
      "the second attempt is under review",
      () => pull.body?.includes("attempt 2.") === true,
    );
    await world.settle();

    expect(ownCheck(head)?.conclusion).toBe("failure");
    expect(annotationsOn(head)).toContain("failure src/task.txt:1 src/task.txt:1: the veto stands");
    expect(pull.body).toContain("Changed: 1 file, `src/other.txt`");
    expect(pull.body).not.toContain("Wrote the task.");
    expect(world.pulls()).toHaveLength(1);
  });
});
