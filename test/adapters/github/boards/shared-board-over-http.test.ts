import { afterEach, describe, expect, it } from "vitest";
import { deleteItem } from "../../../../local-github/actions/threads/projects.ts";
import type { Repository } from "../../../../local-github/model/repository.ts";
import { wholeEveryMs } from "../../../../src/adapters/github/boards/decide-board.ts";
import { instant } from "../../../../src/domain/ids.ts";
import { aConfig } from "../../../support/a-config.ts";
import { BoardTown } from "./board-town.ts";

let town: BoardTown;
afterEach(() => town.close());

const MINUTE_MS = 60_000;
const LATER_MS = 2 * MINUTE_MS;

async function start(cards: number, names: readonly string[] = ["one", "two", "three"]) {
  town = await BoardTown.create(names);
  const issues = town.addCards(cards);
  const repos = town.repositories;
  return { issues, repos, ann: town.world.github.as("ann") };
}

async function readAll(repos: readonly Repository[]): Promise<void> {
  for (const repo of repos) expect(await town.read(repo)).toEqual(town.truth(repo));
}

/** Everybody has read, and what is asked from now on is counted. */
async function settled(repos: readonly Repository[]): Promise<void> {
  await Promise.all(repos.map((repo) => town.read(repo)));
  // The first looks learn versions, and what changed within the second of a reading is read once more.
  for (const repo of repos) await town.hasNews(repo);
  town.pass(LATER_MS);
  for (const repo of repos) await town.hasNews(repo);
  for (const repo of repos) await town.hasNews(repo);
  town.pass(10_000);
  town.counter.forget();
}

async function news(repos: readonly Repository[]): Promise<readonly boolean[]> {
  return Promise.all(repos.map((repo) => town.hasNews(repo)));
}

describe("a board with cards of several repositories", () => {
  it("is read once for all that ask at the same time, and each gets its own cards", async () => {
    const { repos } = await start(30);
    town.counter.forget();
    const cards = await Promise.all(repos.map((repo) => town.read(repo)));
    expect(cards).toEqual(repos.map((repo) => town.truth(repo)));
    // One has its pull requests with the cards; the others read theirs.
    expect(town.asked()).toEqual({ "query RepoReading": 3 });
  });

  it.each([30, 150])(
    "of %d cards: a move is news for the repository of the card alone",
    async (count) => {
      const { repos, issues, ann } = await start(count);
      await settled(repos);
      ann.moveCard(issues[0]!, "Ready");
      town.pass(LATER_MS);
      expect(await news(repos)).toEqual([true, false, false]);
      const asked = town.asked();
      expect((asked["query BoardIndex"] ?? 0) + (asked["query RepoReading"] ?? 0)).toBe(1);
      await readAll(repos);
    },
  );

  it("costs nothing that counts while nothing changes, and one index for all where the list has no version", async () => {
    const { repos } = await start(30);
    await settled(repos);
    await news(repos);
    expect(town.asked()).toEqual({});
    town.world.github.faults.unversionedItems = true;
    town.world.github.as("ann").moveCard(town.addCards(1)[0]!, "Ready");
    await news(repos);
    await settled(repos);
    for (let minute = 0; minute < 4; minute += 1) {
      town.pass(MINUTE_MS);
      expect(await news(repos)).toEqual([false, false, false]);
    }
    expect(town.asked()).toEqual({ "query BoardIndex": 2 });
  });

  it("finds a card that is new to it by one index and the card itself", async () => {
    const { repos } = await start(150);
    await settled(repos);
    const [issue] = town.addCards(1, "Ready");
    expect(town.github.repoOfCard(issue!.nodeId)).toBeUndefined();
    const now = instant(Date.now() + town.clock.aheadMs);
    const unchanged = repos.map((repo) =>
      town.github.isUnchanged(town.nameOf(repo), town.config, now),
    );
    expect(await Promise.all(unchanged)).toEqual([false, true, true]);
    expect(town.asked()).toMatchObject({ "query BoardIndex": 1, "query ChangedCards": 1 });
    expect(town.github.repoOfCard(issue!.nodeId)).toBe("acme/one");
  });

  it.each(["removeCard", "archiveCard"] as const)(
    "loses a card by %s, and no other",
    async (how) => {
      const { repos, issues, ann } = await start(150);
      await settled(repos);
      ann[how](issues[4]!);
      town.pass(LATER_MS);
      expect(await news(repos)).toEqual([false, true, false]);
      await readAll(repos);
    },
  );

  it("sees two edits of an issue within one second, of which it has read the first", async () => {
    const { repos, issues, ann } = await start(150);
    await settled(repos);
    const title = async (): Promise<string | undefined> => {
      const { board } = await town.github.readRepo(town.nameOf(repos[0]!), town.config);
      return board.cards.find(({ issue }) => issue.nodeId === issues[0]!.nodeId)?.issue.title;
    };
    ann.editIssue(issues[0]!, { title: "first" });
    expect(await title()).toBe("first");
    const { updatedAt } = issues[0]!;
    ann.editIssue(issues[0]!, { title: "second" });
    issues[0]!.updatedAt = updatedAt;
    expect(await title()).toBe("second");
  });

  it("shows a column that was renamed, and says that it is missing", async () => {
    const { repos, issues, ann } = await start(150);
    ann.moveCard(issues[0]!, "Ready");
    await settled(repos);
    const status = town.world.project.fields.find(({ name }) => name === "Status")!;
    status.options = status.options.map((option) =>
      option.name === "Ready" ? { ...option, name: "Go" } : option,
    );
    town.pass(LATER_MS);
    expect(await news(repos)).toEqual([true, true, true]);
    const { board } = await town.github.readRepo(town.nameOf(repos[0]!), town.config);
    expect(board.cards[0]?.role).toBeUndefined();
    expect(board.renamed).toEqual(["ready"]);
  });

  it.each<[string, () => void, () => void]>([
    ["closed", () => (town.world.project.closed = true), () => (town.world.project.closed = false)],
    [
      "hidden",
      () => (town.world.github.faults.nullBoard = true),
      () => (town.world.github.faults.nullBoard = false),
    ],
    [
      "without its field",
      () => (town.world.project.fields.find(({ name }) => name === "Status")!.name = "State"),
      () => (town.world.project.fields.find(({ name }) => name === "State")!.name = "Status"),
    ],
  ])("cannot be read while it is %s, and is as before afterwards", async (_, hide, show) => {
    const { repos } = await start(150);
    await settled(repos);
    hide();
    town.pass(LATER_MS);
    expect(await news(repos)).toEqual([true, true, true]);
    const reading = town.read(repos[0]!);
    await expect(reading).rejects.toMatchObject({ code: "board-unreadable" });
    show();
    await readAll(repos);
  });
});

describe("a reading that fails", () => {
  function fail(times: number): void {
    town.world.github.faults.answer({
      matches: ({ body }) => JSON.stringify(body ?? null).includes("query RepoReading"),
      status: 500,
      message: "Server Error",
      times,
    });
  }

  it("fails for all who share it, is no success for anybody, and the next who asks tries anew", async () => {
    const { repos } = await start(30);
    fail(1);
    const tried = await Promise.allSettled(repos.map((repo) => town.read(repo)));
    expect(tried.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await readAll(repos);
  });

  it("does not make the change forgotten that it was made for", async () => {
    const { repos, issues, ann } = await start(30);
    await settled(repos);
    ann.moveCard(issues[0]!, "Ready");
    fail(1);
    await expect(town.hasNews(repos[0]!)).rejects.toMatchObject({ code: "github-unavailable" });
    expect(await town.hasNews(repos[0]!)).toBe(true);
    await readAll(repos);
  });

  it("of a repository that the app was shut out of is no failure of the others", async () => {
    const { repos } = await start(30);
    const config = town.config;
    const stranger = town.github.readRepo("acme/unknown" as never, config);
    const [gone, ...others] = await Promise.allSettled([
      stranger,
      ...repos.map((repo) => town.github.readRepo(town.nameOf(repo), config)),
    ]);
    expect(gone).toMatchObject({ status: "rejected", reason: { code: "github-refused" } });
    expect(others.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
  });
});

describe("the time of a reading", () => {
  it("is not believed after the clock was set back", async () => {
    const { repos, issues, ann } = await start(150);
    await settled(repos);
    ann.moveCard(issues[0]!, "Ready");
    town.clock.aheadMs -= 24 * 60 * MINUTE_MS;
    expect(await news(repos)).toEqual([true, false, false]);
    await readAll(repos);
  });

  it("comes for all cards even if no index shows a change: a parent's labels are found in time", async () => {
    const { repos, issues, ann } = await start(150);
    const parent = ann.openIssue({ repo: repos[0]!, title: "parent", body: "" });
    ann.adopt(parent, issues[0]!);
    await settled(repos);
    const { updatedAt } = parent;
    ann.label(parent, "phase");
    parent.updatedAt = updatedAt;
    town.pass(wholeEveryMs(2));
    expect(await news(repos)).toEqual([true, false, false]);
  });
});

describe("boards with the same number", () => {
  it("of two organizations are two boards", async () => {
    const { repos, ann } = await start(6);
    const { github, project } = town.world;
    github.addOrganization("other");
    const theirs = await github.addRepository({
      owner: "other",
      name: "one",
      from: { "README.md": "x" },
      roles: { ann: "admin" },
    });
    const board = github.addProject({ org: "other", title: "B", columns: ["Backlog", "Ready"] });
    expect(board.number).toBe(project.number);
    const [first] = github.world.installations.values();
    github.installApp({ account: "other", permissions: first!.permissions, events: first!.events });
    const issue = ann.openIssue({ repo: theirs, title: "theirs", body: "" });
    github.addCard(board, issue, "Ready");
    const [mine, other] = await Promise.all([town.read(repos[0]!), town.read(theirs)]);
    expect(mine).toEqual(town.truth(repos[0]!));
    expect(other).toEqual(["1 ready"]);
    deleteItem(github.world, board.items[0]!, issue.author);
    await readAll(repos);
    expect(await town.read(theirs)).toEqual([]);
  });

  it("are read for themselves if repositories name different fields for their columns", async () => {
    const { repos } = await start(6);
    const config = aConfig({ board: { project: 1, statusField: "Stage" } });
    const [theirs, ours] = await Promise.allSettled([
      town.github.readRepo(town.nameOf(repos[0]!), config),
      town.read(repos[1]!),
    ]);
    expect(theirs).toMatchObject({ status: "rejected", reason: { code: "board-unreadable" } });
    expect(ours).toEqual({ status: "fulfilled", value: town.truth(repos[1]!) });
  });
});
