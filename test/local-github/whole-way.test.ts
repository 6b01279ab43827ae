import { describe, expect, it } from "vitest";
import { at, createTown } from "./town.ts";

describe("the way of a card", () => {
  it("goes from Ready to a merged pull request and tells of each step", async () => {
    const town = await createTown();
    const { github, app, board } = town;
    const alice = github.as("alice");
    const issue = alice.openIssue({ repo: app, title: "One", body: "do", labels: ["x"] });
    github.addCard(board, issue, "Backlog");
    alice.moveCard(issue, "Ready");
    expect(github.columnOf(issue)).toBe("Ready");
    const token = await town.token({ repositories: ["app"], permissions: { contents: "write" } });
    const dir = await town.scratch();
    await town.git(dir, "clone", "-q", town.remote(token), "w");
    await town.git(`${dir}/w`, "checkout", "-q", "-b", "one");
    await town.git(`${dir}/w`, "commit", "-q", "--allow-empty", "-m", "one");
    await town.git(`${dir}/w`, "push", "-q", "origin", "one");
    const wanted = { title: "One", head: "one", base: "main", body: "Closes #1" };
    expect((await town.call("POST", "/repos/acme/app/pulls", wanted)).status).toBe(201);
    const pull = await town.call("GET", `/repos/acme/app/pulls/2`);
    expect(pull.body).toMatchObject({ mergeable: true, commits: 1 });
    const merge = { sha: at(pull.body, "head", "sha"), merge_method: "squash" };
    expect((await town.call("PUT", `/repos/acme/app/pulls/2/merge`, merge)).status).toBe(200);
    expect(issue.state).toBe("closed");
    await github.deliverySettled();
    expect(town.names().toSorted()).toEqual([
      "installation.created",
      "issues.closed",
      "issues.labeled",
      "issues.opened",
      "label.created",
      "projects_v2.created",
      "projects_v2_item.created",
      "projects_v2_item.edited",
      "projects_v2_item.edited",
      "pull_request.closed",
      "pull_request.opened",
      "push",
      "push",
    ]);
  });
});
