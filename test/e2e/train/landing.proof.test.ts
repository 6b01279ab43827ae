import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { RequestFacts } from "../../../local-github/wire/faults.ts";
import { repoName } from "../../../src/domain/ids.ts";
import { further } from "../../support/further.ts";
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

  further("is tried again when the call failed before its effect", async () => {
    await underReview();
    world.github.faults.answer({ matches: movesBase, status: 502, message: "Bad Gateway" });
    approve("task");
    await world.untilColumn("Done", "task");
    expect(await landings()).toBe(1);
  });

  further("comes by the merge API where the branch's rules want pull requests", async () => {
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

  further("needs no pull request where the repository lands commits", async () => {
    world = await World.create({ repository: { land: "commit" } });
    await world.addTask({ id: "task", files: ["task/file.txt"] });
    world.moveToReady("task");
    await world.untilColumn("Done", "task");
    expect(world.pulls()).toEqual([]);
    await world.until("the issue is closed", () => world.issue("task").state === "closed");
  });

  further("keeps the branch that a stacked pull request wants to go to", async () => {
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

  it("halts on a red base, blames nobody, says so everywhere, and goes on by itself when the base is green", async () => {
    const verify = "echo looking; ! test -f broken.txt";
    const report = { waitingAfter: "10m" };
    await underReview({ repository: { verify, report } }, "first", "second");
    const bob = world.github.as("bob");
    const files = { "broken.txt": "x\n" };
    await bob.push(world.repository, "main", { files, message: "Break it" });
    const broken = await world.git("rev-parse", "main");
    approve("first");
    await world.until("the first is in line", async () => (await train()) !== undefined);
    approve("second");
    await world.until("the train halts", async () => (await train())?.cause === "red-base");
    const said = `the train of main is halted: main itself fails at ${broken.slice(0, 7)}`;
    const ours = (id: string): string => world.comments(id).find((one) => one.includes(said)) ?? "";
    await world.until("the first in line is told", () => ours("first") !== "");
    await world.settle();

    const [shop] = (await world.status()).repositories;
    const standings = shop?.tasks.map(({ whereabouts, reason }) => [
      whereabouts,
      reason.split(";")[0],
    ]);
    expect(standings).toEqual([
      ["train-halted", said],
      ["train-halted", said],
    ]);
    expect(await readFile(shop?.trains[0]?.logPath ?? "", "utf8")).toContain("looking");

    const checks = (head: string) =>
      world.github.world.checkRuns.filter(({ suite }) => suite.headSha === head);
    expect(checks(broken)).toMatchObject([
      { conclusion: "failure", output: { title: "main itself fails" } },
    ]);
    expect(checks(broken)[0]?.output.summary).toContain("looking");
    expect(ours("first")).toContain("goes on by itself when that is green again");
    expect(ours("second")).toBe("");
    expect(checks(world.pull("second").headSha).map(({ output }) => output.title)).not.toContain(
      "The train is halted",
    );

    // Whoever asks is told at once, on the check, too.
    world.github.as("ann").comment(world.issue("second"), "/explain");
    await world.until("the second is told", () => ours("second") !== "");
    await world.until("its check says so", () =>
      checks(world.pull("second").headSha).some(
        ({ output }) => output.title === "The train is halted",
      ),
    );
    await bob.push(world.repository, "main", { files: { "broken.txt": null }, message: "Mend" });
    await world.untilColumn("Done", "first", "second");
    expect(checks(broken)).toMatchObject([{ conclusion: "failure" }]);
    expect((await train())?.state).toBe("running");
    expect(await world.attemptsOf("first")).toEqual([1]);
  });

  further("lands although every webhook is lost", async () => {
    await underReview({ operator: { reconcileEvery: "300ms" } });
    world.github.faults.webhooks.lose = 1;
    approve("task");
    await world.untilColumn("Done", "task");
  });
});
