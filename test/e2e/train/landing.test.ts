import { afterEach, describe, expect, it } from "vitest";
import type { RequestFacts } from "../../../local-github/wire/faults.ts";
import { repoName } from "../../../src/domain/ids.ts";
import { World } from "../../support/world.ts";

let world: World;
afterEach(() => world.close());

type Options = Parameters<typeof World.create>[0];

/** Tasks whose pull requests wait for a review. */
async function underReview(options: Options = {}, ...ids: readonly string[]): Promise<void> {
  world = await World.create(options);
  const names = ids.length === 0 ? ["task"] : ids;
  await world.addTasks(names.map((id) => ({ id, files: [`${id}/file.txt`] })));
  world.moveToReady(...names);
  await world.untilColumn("In review", ...names);
  await world.settle();
}

/** The call that moves the base branch. */
function movesBase({ route, body }: RequestFacts): boolean {
  return route === "/graphql" && JSON.stringify(body ?? "").includes('"name":"refs/heads/main"');
}

function approve(...ids: readonly string[]): void {
  for (const id of ids) world.github.as("bob").approve(world.pull(id));
}

async function landings(): Promise<number> {
  return Number(await world.git("rev-list", "--count", "main")) - 1;
}

async function train() {
  return (await world.app.store.readRepo(repoName("acme/shop"))).trains[0];
}

describe("a landing", () => {
  it("makes the base exactly the commit that was verified, and the pull request merged", async () => {
    await underReview();
    approve("task");
    await world.untilColumn("Done", "task");
    const { entries } = await world.app.store.readRepo(repoName("acme/shop"));
    expect(await world.git("rev-parse", "main")).toBe(entries[0]?.evidence?.candidate.commit);
    expect(world.pull("task").landing).not.toBeNull();
    expect(world.issue("task").state).toBe("closed");
  });

  it("happens once when the answer is lost after the effect", async () => {
    await underReview();
    const fault = { status: 500, message: "Server Error", when: "after" } as const;
    world.github.faults.answer({ matches: movesBase, ...fault });
    approve("task");
    await world.untilColumn("Done", "task");
    expect(await landings()).toBe(1);
  });

  it("is tried again when the call failed before its effect", async () => {
    await underReview();
    world.github.faults.answer({ matches: movesBase, status: 502, message: "Bad Gateway" });
    approve("task");
    await world.untilColumn("Done", "task");
    expect(await landings()).toBe(1);
  });

  it("comes by the merge API where the branch's rules want pull requests", async () => {
    await underReview();
    const parameters = {
      required_approving_review_count: 1,
      required_review_thread_resolution: false,
      dismiss_stale_reviews_on_push: false,
      require_code_owner_review: false,
      require_last_push_approval: false,
    };
    const rule = { type: "pull_request", branch: "main", parameters } as const;
    world.github.addRule(world.repository, rule);
    approve("task");
    await world.untilColumn("Done", "task");
    expect(await landings()).toBe(1);
  });

  it("needs no pull request where the repository lands commits", async () => {
    world = await World.create({ repository: { land: "commit" } });
    await world.addTask({ id: "task", files: ["task/file.txt"] });
    world.moveToReady("task");
    await world.untilColumn("Done", "task");
    expect(world.pulls()).toEqual([]);
    await world.until("the issue is closed", () => world.issue("task").state === "closed");
  });

  it("keeps the branch that a stacked pull request wants to go to", async () => {
    await underReview();
    const { headRef } = world.pull("task");
    const bob = world.github.as("bob");
    await bob.push(world.repository, "stacked", { files: { "s.txt": "s\n" }, message: "Stacked" });
    const title = "Stacked";
    const stacked = await bob.openPullRequest(world.repository, {
      title,
      head: "stacked",
      base: headRef,
    });
    approve("task");
    await world.untilColumn("Done", "task");
    await world.settle();
    expect(stacked.state).toBe("open");
    expect(world.repository.refs.has(`refs/heads/${headRef}`)).toBe(true);
  });
});

describe("the train", () => {
  it("lands the neighbours of a change that fails on the new base, and sends only that one back", async () => {
    const verify = "! (test -f bad/file.txt && test -f veto.txt)";
    await underReview({ repository: { verify } }, "good", "bad", "fine");
    const files = { "veto.txt": "no\n" };
    await world.github.as("ann").push(world.repository, "main", { files, message: "Veto" });
    approve("good", "bad", "fine");
    await world.untilColumn("Done", "good", "fine");
    expect(await world.mainFiles()).not.toHaveProperty("bad/file.txt");
  });

  it("halts on a red base, blames nobody, and goes on by itself when the base is green", async () => {
    await underReview({ repository: { verify: "! test -f broken.txt" } });
    const bob = world.github.as("bob");
    const push = (files: Record<string, string | null>) =>
      bob.push(world.repository, "main", { files: files, message: "Base" });
    await push({ "broken.txt": "x\n" });
    approve("task");
    await world.until("the train halts", async () => (await train())?.cause === "red-base");
    expect(await world.attemptsOf("task")).toEqual([1]);
    await push({ "broken.txt": null });
    await world.untilColumn("Done", "task");
    expect((await train())?.state).toBe("running");
  });

  it("lands although every webhook is lost", async () => {
    await underReview({ operator: { reconcileEvery: "300ms" } });
    world.github.faults.webhooks.lose = 1;
    approve("task");
    await world.untilColumn("Done", "task");
  });
});
