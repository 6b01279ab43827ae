import { afterEach, describe, expect, it } from "vitest";
import type { ClassicProtection } from "../../../local-github/model/rule.ts";
import { further, some } from "../../support/further.ts";
import { HurriedClock } from "../../support/hurried-clock.ts";
import type { WorldOptions } from "../../support/world-options.ts";
import { World } from "../../support/world.ts";
import { guard } from "./guarded.ts";
import {
  Writes,
  approve,
  bringUnderReview,
  entryOf,
  storyOf,
  taskOf,
  tenMinutes,
} from "./scene.ts";

let world: World;
let writes: Writes;
let clock: HurriedClock;
afterEach(() => world.close());

/** What both kinds have in common is tried with the last one by everybody. */
const KINDS = ["classic protection", "a ruleset"] as const;

type Kind = Parameters<typeof guard>[1];

async function underRules(
  kind: Kind,
  conditions: ClassicProtection,
  options: WorldOptions = {},
): Promise<void> {
  writes = new Writes();
  clock = new HurriedClock();
  world = await World.create({
    listener: writes,
    clock,
    operator: { reconcileEvery: "1h", retry: { backoff: "10s", maxBackoff: "5m" } },
    ...options,
  });
  guard(world, kind, conditions);
  await bringUnderReview(world, "task");
}

async function untilSaid(words: string): Promise<void> {
  await world.until(`it says: ${words}`, async () => {
    return (await taskOf(world, "task"))?.reason.includes(words) === true;
  });
  await world.until(`the issue says: ${words}`, () =>
    world.comments("task").some((said) => said.includes(words)),
  );
}

/** It was asked for what GitHub refuses, and is not asked again and again. */
async function expectFewRefusals(): Promise<void> {
  await tenMinutes(world, clock);
  expect(writes.refused.length).toBeLessThanOrEqual(3);
  expect(world.pull("task").earlierHeads).toEqual([]);
}

describe.each(some(KINDS))("%s", (kind) => {
  it("that wants one review takes what is approved, at once", async () => {
    await underRules(kind, { reviews: { count: 1 } });
    approve(world, "task");
    await world.untilColumn("Done", "task");
    expect(writes.refused).toEqual([]);
  });

  further("that wants two reviews takes it when the second person has approved", async () => {
    await underRules(kind, { reviews: { count: 2 } });
    approve(world, "task");
    const said =
      kind === "classic protection" ? "At least 2 approving reviews" : "1 of 2 approvals";
    await untilSaid(said);
    await expectFewRefusals();
    world.github.as("ann").approve(world.pull("task"));
    await world.untilColumn("Done", "task");
  });

  further("that wants a code owner takes it when an owner has approved", async () => {
    const files = { "README.md": "# shop\n", ".github/CODEOWNERS": "* @ann\n" };
    await underRules(kind, { reviews: { count: 1, codeOwners: true } }, { files });
    approve(world, "task");
    await untilSaid("Waiting on code owner review.");
    await expectFewRefusals();
    world.github.as("ann").approve(world.pull("task"));
    await world.untilColumn("Done", "task");
  });

  further(
    "that wants the last push approved takes what the bot pushed, and not what the approver did",
    async () => {
      await underRules(kind, { reviews: { count: 1, lastPush: true } });
      const bob = world.github.as("bob");
      const change = { files: { "task/note.txt": "by hand\n" }, message: "A note" };
      await bob.push(world.repository, world.pull("task").headRef, change);
      approve(world, "task");
      await untilSaid("approval from someone other than the last pusher");
      await expectAskedSeldom();
      world.github.as("ann").approve(world.pull("task"));
      await world.untilColumn("Done", "task");
      expect(await world.mainFiles()).toHaveProperty("task/note.txt");
      await bringUnderReview(world, "next");
      approve(world, "next");
      await world.untilColumn("Done", "next");
    },
  );

  it("that dismisses stale approvals wants another for another diff", async () => {
    await underRules(kind, { reviews: { count: 1, dismissStale: true } });
    const bob = world.github.as("bob");
    const { headRef } = world.pull("task");
    const review = bob.approve(world.pull("task"));
    await bob.push(world.repository, headRef, { files: { "task/b.txt": "b\n" }, message: "More" });
    await world.settle();
    expect(review.state).toBe("DISMISSED");
    expect(world.pull("task").landing).toBeNull();
    const again = bob.approve(world.pull("task"));
    await world.untilColumn("Done", "task");
    expect(again.state).toBe("APPROVED");
    expect(writes.refused).toEqual([]);
  });

  further(
    "that lets only others push is asked twice, the issue says why, and an hour later it is asked again",
    async () => {
      await underRules(kind, { pushers: { logins: ["ann"] } });
      approve(world, "task");
      await untilSaid("Cannot update this protected ref.");
      await expectFewRefusals();
      expect((await entryOf(world, "task"))?.state).toBe("rejected");
      world.repository.rules.splice(0);
      clock.skip(60 * 60_000);
      await world.untilColumn("Done", "task");
    },
  );

  further("that wants a linear history takes a squash", async () => {
    await underRules(kind, { reviews: { count: 1 }, linear: true });
    approve(world, "task");
    await world.untilColumn("Done", "task");
    expect(writes.refused).toEqual([]);
  });

  further(
    "that wants a linear history takes no merge commit, and the issue says what to do",
    async () => {
      const conditions = { reviews: { count: 1 }, linear: true };
      await underRules(kind, conditions, { repository: { merge: "merge" } });
      approve(world, "task");
      const known = kind !== "classic protection";
      await untilSaid(known ? "set merge to squash or rebase" : "must not contain merge commits");
      await expectFewRefusals();
      if (known) expect(writes.refused).toEqual([]);
    },
  );

  it("that wants signed commits has the issue say so; where a ruleset tells, nothing is asked", async () => {
    await underRules(kind, { signatures: true });
    approve(world, "task");
    const known = kind !== "classic protection";
    await untilSaid(known ? "takes signed commits only" : "Commits must have verified signatures.");
    await expectFewRefusals();
    if (known) {
      expect(writes.refused).toEqual([]);
      expect(await storyOf(world, "task")).toEqual([]);
    }
  });
});

describe("classic protection and a ruleset together", () => {
  further("are both obeyed: a second review, a code owner and a linear history", async () => {
    const files = { "README.md": "# shop\n", ".github/CODEOWNERS": "* @ann\n" };
    await underRules("a ruleset", { reviews: { count: 2 }, linear: true }, { files });
    guard(world, "classic protection", { reviews: { count: 1, codeOwners: true } });
    approve(world, "task");
    await untilSaid("1 of 2 approvals");
    world.github.as("ann").approve(world.pull("task"));
    await world.untilColumn("Done", "task");
    expect(writes.refused).toEqual([]);
  });
});

/** Bob's own push is one of the earlier heads. */
async function expectAskedSeldom(): Promise<void> {
  await tenMinutes(world, clock);
  expect(writes.refused.length).toBeLessThanOrEqual(3);
  expect(world.pull("task").earlierHeads).toHaveLength(1);
}

describe("GitHub's own queue with several pull requests", () => {
  it("sends back the one that fails in its group, and lands the others", async () => {
    const verify = "! (test -f bad/file.txt && test -f veto.txt)";
    world = await World.create({ repository: { verify }, operator: { reconcileEvery: "1h" } });
    const checks = [{ context: "wavetrain" }];
    world.github.addRule(world.repository, {
      type: "merge_queue",
      branch: "main",
      bypassLogins: ["ann"],
    });
    world.github.addRule(world.repository, {
      type: "required_status_checks",
      branch: "main",
      bypassLogins: ["ann"],
      parameters: { required_status_checks: checks, strict_required_status_checks_policy: false },
    });
    await bringUnderReview(world, "one", "bad", "two");
    const veto = { files: { "veto.txt": "no\n" }, message: "Veto" };
    await world.github.as("ann").push(world.repository, "main", veto);
    approve(world, "one", "bad", "two");
    await world.untilColumn("Done", "one", "two");
    await world.until("it is sent back", async () => {
      return (await storyOf(world, "bad")).some((said) => /merge queue sent #\d+ back/.test(said));
    });
    expect(world.pull("bad").landing).toBeNull();
    expect(await world.mainFiles()).not.toHaveProperty("bad/file.txt");
    expect(await world.mainFiles()).toHaveProperty("one/file.txt");
    expect(await world.mainFiles()).toHaveProperty("two/file.txt");
  });
});
