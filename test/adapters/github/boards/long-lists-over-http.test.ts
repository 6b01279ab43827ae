import { afterEach, describe, expect, it } from "vitest";
import type { Issue } from "../../../../local-github/model/issue.ts";
import { labelNames } from "../../../../src/config/repository/label-names.ts";
import { taskIdOf } from "../../../../src/domain/ids.ts";
import { BoardTown } from "./board-town.ts";

let town: BoardTown;
afterEach(() => town.close());

const LABELS = Array.from({ length: 34 }, (_, at) => `label-${at}`);

function issues(count: number): readonly Issue[] {
  const [repo] = town.repositories;
  const ann = town.world.github.as("ann");
  return Array.from({ length: count }, (_, at) =>
    ann.openIssue({ repo: repo!, title: `B${at}`, body: "" }),
  );
}

function numbers(list: readonly { readonly number: number }[]): readonly number[] {
  return list.map(({ number }) => number).toSorted((a, b) => a - b);
}

describe("an issue with long lists", () => {
  it("has all its labels and blockers and those of its parent, on a board of cards and on one of labels", async () => {
    town = await BoardTown.create(["one"]);
    const ann = town.world.github.as("ann");
    const { ready } = labelNames(town.config.board);
    const [plain, long] = town.addCards(2, "Ready");
    const [parent] = issues(1);
    const blockers = issues(23);
    ann.adopt(parent!, long!);
    ann.label(long!, ready, ...LABELS);
    ann.label(plain!, ready);
    ann.label(parent!, ...LABELS);
    for (const blocker of blockers) {
      ann.block(long!, blocker);
      ann.block(parent!, blocker);
    }
    const repo = town.nameOf(town.repositories[0]!);
    for (const kind of ["project", "labels"] as const) {
      town.counter.forget();
      const config = { ...town.config, board: { ...town.config.board, kind } };
      const { board } = await town.github.readRepo(repo, config);
      const card = board.cards.find(({ issue }) => issue.number === long!.number);
      expect(card?.issue.labels).toEqual([ready, ...LABELS]);
      expect(numbers(card!.issue.blockedBy)).toEqual(numbers(blockers));
      expect(card?.issue.parent?.labels).toEqual(LABELS);
      expect(numbers(card!.issue.parent!.blockedBy)).toEqual(numbers(blockers));
      expect(town.asked()["query RestOfLists"]).toBe(1);
    }
  });

  it("has all its sub-issues, as an objective too, and there may be more objectives than one page shows", async () => {
    town = await BoardTown.create(["one"]);
    const ann = town.world.github.as("ann");
    const [parent] = issues(1);
    const children = issues(45);
    for (const child of children) ann.adopt(parent!, child);
    const others = issues(30);
    for (const one of [parent!, ...others]) ann.label(one, "objective");
    const repo = town.nameOf(town.repositories[0]!);
    const id = taskIdOf(repo, parent!.number);
    const found = await town.github.subIssues(repo, [id]);
    expect(numbers(found.get(id) ?? [])).toEqual(numbers(children));
    const objectives = await town.github.readObjectives(repo, "objective");
    expect(objectives).toHaveLength(31);
    expect(numbers(objectives[0]!.subIssues)).toEqual(numbers(children));
  });

  it("is among more than one query can ask for, and its state is read all the same", async () => {
    town = await BoardTown.create(["one"]);
    const repo = town.nameOf(town.repositories[0]!);
    const ids = issues(130).map(({ number }) => taskIdOf(repo, number));
    expect((await town.github.issueStates(repo, ids)).size).toBe(130);
  });
});

describe("a pull request with many opinions", () => {
  it("has the one that asks for changes, whichever it is", async () => {
    town = await BoardTown.create(["one"]);
    const { github, repository, repo } = town.world;
    await github.as("ann").push(repository, "feature", { files: { "x.txt": "x" }, message: "x" });
    const pull = await github
      .as("ann")
      .openPullRequest(repository, { title: "x", head: "feature" });
    for (let at = 0; at < 25; at += 1) {
      const { login } = github.addUser(`reviewer-${at}`);
      repository.roles.set(login, "write");
      if (at === 24) github.as(login).requestChanges(pull, "no");
      else github.as(login).approve(pull);
    }
    const { pulls } = await town.github.readRepo(repo, town.config);
    expect(pulls).toMatchObject([{ review: "changes-requested" }]);
    const looked = await town.github.refreshPulls(repo, { pulls: [pull.number], branches: [] });
    expect(looked.pulls.get(pull.number)).toMatchObject({ review: "changes-requested" });
  });
});
