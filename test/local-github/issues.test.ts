import { describe, expect, it } from "vitest";
import { at, createTown } from "./town.ts";
import type { Town } from "./town.ts";

const ISSUES = "/repos/acme/app/issues";

describe("issues", () => {
  it("are opened, edited, closed and reopened by the App as its bot", async () => {
    const town = await createTown();
    const opened = await town.call("POST", ISSUES, { title: "T", body: "B", labels: ["ready"] });
    expect(opened.body).toMatchObject({
      number: 1,
      user: { login: "wavetrain[bot]", type: "Bot" },
      labels: [{ name: "ready" }],
    });
    await town.call("PATCH", `${ISSUES}/1`, { title: "T2", labels: ["other"] });
    const closed = await town.call("PATCH", `${ISSUES}/1`, {
      state: "closed",
      state_reason: "not_planned",
    });
    expect(closed.body).toMatchObject({
      title: "T2",
      labels: [{ name: "other" }],
      state: "closed",
      state_reason: "not_planned",
      closed_by: { login: "wavetrain[bot]" },
    });
    await town.call("PATCH", `${ISSUES}/1`, { state: "open" });
    const timeline = await town.call("GET", `${ISSUES}/1/timeline`);
    expect((timeline.body as { event: string }[]).map(({ event }) => event)).toEqual([
      "labeled",
      "renamed",
      "unlabeled",
      "labeled",
      "closed",
      "reopened",
    ]);
    expect((await town.call("POST", ISSUES, { body: "no title" })).status).toBe(422);
    expect((await town.call("GET", `${ISSUES}/99`)).status).toBe(404);
  });

  it("share their numbers with pull requests, which the issues API lists too", async () => {
    const town = await createTown();
    const alice = town.github.as("alice");
    alice.openIssue({ repo: town.app, title: "first" });
    await alice.push(town.app, "work", { files: { "b.ts": "b\n" }, message: "b" });
    const pull = await alice.openPullRequest(town.app, { title: "second", head: "work" });
    expect(pull.number).toBe(2);
    const listed = await town.call("GET", ISSUES);
    expect(listed.body).toMatchObject([{ number: 2, pull_request: {} }, { number: 1 }]);
    const seen = await town.call("GET", "/repos/acme/app/pulls/2");
    const asIssue = await town.call("GET", `${ISSUES}/2`);
    expect(at(seen.body, "id")).not.toBe(at(asIssue.body, "id"));
    expect(at(seen.body, "node_id")).toBe(at(asIssue.body, "node_id"));
  });

  it("are listed by state, label and page, with links to the other pages", async () => {
    const town = await createTown();
    const alice = town.github.as("alice");
    for (let at = 1; at <= 5; at += 1) {
      alice.openIssue({ repo: town.app, title: `t${at}`, labels: at % 2 ? ["odd"] : [] });
    }
    const numbers = async (query: string) =>
      ((await town.call("GET", `${ISSUES}?${query}`)).body as { number: number }[]).map(
        (issue) => issue.number,
      );
    expect(await numbers("labels=odd&direction=asc")).toEqual([1, 3, 5]);
    expect(await numbers("state=closed")).toEqual([]);
    const page = await town.call("GET", `${ISSUES}?per_page=2&page=2`);
    expect(page.body).toMatchObject([{ number: 3 }, { number: 2 }]);
    expect(page.headers.get("link")).toContain('page=3>; rel="next"');
    expect(page.headers.get("link")).toContain('rel="prev"');
  });

  it("answers 304 to a client that has the newest answer, and 200 once it changed", async () => {
    const town = await createTown();
    const issue = town.github.as("alice").openIssue({ repo: town.app, title: "T" });
    const auth = await town.token();
    const first = await town.ask("GET", `${ISSUES}/1`, { auth });
    const etag = first.headers.get("etag") ?? "";
    const again = async () =>
      (await town.ask("GET", `${ISSUES}/1`, { auth, headers: { "if-none-match": etag } })).status;
    expect(await again()).toBe(304);
    town.github.as("alice").comment(issue, "new");
    expect(await again()).toBe(200);
  });

  it("carry comments that can be edited in place and deleted", async () => {
    const town = await createTown();
    town.github.as("alice").openIssue({ repo: town.app, title: "T" });
    const made = await town.call("POST", `${ISSUES}/1/comments`, { body: "one" });
    expect(made.status).toBe(201);
    const comment = `${ISSUES}/comments/${String(at(made.body, "id"))}`;
    expect((await town.call("PATCH", comment, { body: "two" })).status).toBe(200);
    expect((await town.call("GET", comment)).body).toMatchObject({ body: "two" });
    expect((await town.call("DELETE", comment)).status).toBe(204);
    expect((await town.call("GET", `${ISSUES}/1/comments`)).body).toEqual([]);
    expect((await town.call("GET", comment)).status).toBe(404);
  });
});

describe("labels", () => {
  it("are made when first used, matched without case, and gone with 404 when absent", async () => {
    const town = await createTown();
    town.github.as("alice").openIssue({ repo: town.app, title: "T" });
    const added = await town.call("POST", `${ISSUES}/1/labels`, { labels: ["Ready"] });
    expect(added.body).toMatchObject([{ name: "Ready" }]);
    const again = await town.call("POST", `${ISSUES}/1/labels`, { labels: ["ready", "size:s"] });
    expect(again.body).toMatchObject([{ name: "Ready" }, { name: "size:s" }]);
    expect((await town.call("DELETE", `${ISSUES}/1/labels/size%3As`)).status).toBe(200);
    const gone = await town.call("DELETE", `${ISSUES}/1/labels/size%3As`);
    expect(gone.status).toBe(404);
    expect(gone.body).toMatchObject({ message: "Label does not exist" });
    expect((await town.call("POST", "/repos/acme/app/labels", { name: "READY" })).status).toBe(422);
    const replaced = await town.call("PUT", `${ISSUES}/1/labels`, { labels: ["x"] });
    expect(replaced.body).toMatchObject([{ name: "x" }]);
    expect((await town.call("GET", "/repos/acme/app/labels/ready")).status).toBe(200);
  });
});

describe("relations", () => {
  it("block issues by database id, not by number", async () => {
    const town = await createTown();
    const [first, second] = twoIssues(town);
    const path = `${ISSUES}/${second.number}/dependencies/blocked_by`;
    expect((await town.call("POST", path, { issue_id: first.number })).status).toBe(404);
    expect((await town.call("POST", path, { issue_id: first.id })).status).toBe(201);
    expect((await town.call("POST", path, { issue_id: first.id })).status).toBe(422);
    expect((await town.call("GET", path)).body).toMatchObject([{ number: 1 }]);
    const blocking = await town.call("GET", `${ISSUES}/1/dependencies/blocking`);
    expect(blocking.body).toMatchObject([{ number: 2 }]);
    const shown = await town.call("GET", `${ISSUES}/2`);
    expect(at(shown.body, "issue_dependencies_summary", "blocked_by")).toBe(1);
    expect((await town.call("DELETE", `${path}/${first.id}`)).status).toBe(200);
    expect((await town.call("DELETE", `${path}/${first.id}`)).status).toBe(404);
  });

  it("give a sub-issue one parent unless it is replaced", async () => {
    const town = await createTown();
    const [parent, child] = twoIssues(town);
    const other = town.github.as("alice").openIssue({ repo: town.app, title: "other" });
    const adopt = async (number: number, more = {}) =>
      town.call("POST", `${ISSUES}/${number}/sub_issues`, { sub_issue_id: child.id, ...more });
    expect((await adopt(parent.number)).status).toBe(201);
    expect((await adopt(other.number)).status).toBe(422);
    expect((await adopt(other.number, { replace_parent: true })).status).toBe(201);
    expect((await town.call("GET", `${ISSUES}/2/parent`)).body).toMatchObject({ number: 3 });
    expect((await town.call("GET", `${ISSUES}/3/sub_issues`)).body).toMatchObject([{ number: 2 }]);
    const body = { sub_issue_id: child.id };
    expect((await town.call("DELETE", `${ISSUES}/3/sub_issue`, body)).status).toBe(200);
    expect((await town.call("GET", `${ISSUES}/2/parent`)).status).toBe(404);
    const circle = await town.call("POST", `${ISSUES}/2/sub_issues`, body);
    expect(circle.status).toBe(422);
  });
});

function twoIssues(town: Town) {
  const alice = town.github.as("alice");
  return [
    alice.openIssue({ repo: town.app, title: "first" }),
    alice.openIssue({ repo: town.app, title: "second" }),
  ] as const;
}
