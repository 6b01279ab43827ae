import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { at, createTown, SECRET } from "./town.ts";
import type { Town } from "./town.ts";

async function heard(town: Town, event: string) {
  await town.github.deliverySettled();
  return town.heard.filter((webhook) => webhook.event === event);
}

describe("webhooks", () => {
  it("are signed over the raw body with the App's secret", async () => {
    const town = await createTown();
    town.github.as("alice").openIssue({ repo: town.app, title: "Grüße 🚂" });
    const [webhook] = await heard(town, "issues");
    const digest = createHmac("sha256", SECRET)
      .update(webhook?.text ?? "")
      .digest("hex");
    expect(webhook?.headers["x-hub-signature-256"]).toBe(`sha256=${digest}`);
    expect(webhook?.guid).toMatch(/^[0-9a-f-]{36}$/);
    expect(webhook?.payload).toMatchObject({
      action: "opened",
      installation: { id: town.installation.id },
      organization: { login: "acme" },
      repository: { full_name: "acme/app" },
      sender: { login: "alice", type: "User" },
    });
  });

  it("tell the App of its own doings, with its bot as sender", async () => {
    const town = await createTown();
    town.github.as("alice").openIssue({ repo: town.app, title: "T" });
    await town.call("POST", "/repos/acme/app/issues/1/comments", { body: "mine" });
    const [webhook] = await heard(town, "issue_comment");
    expect(webhook?.payload).toMatchObject({
      action: "created",
      sender: { login: "wavetrain[bot]", type: "Bot" },
      comment: { body: "mine", user: { login: "wavetrain[bot]" } },
    });
  });

  it("come for subscribed events and covered repositories only, installations always", async () => {
    const town = await createTown();
    const other = await town.github.addRepository({ owner: "alice", name: "own" });
    town.installation.events = ["issues"];
    const alice = town.github.as("alice");
    const issue = alice.openIssue({ repo: town.app, title: "T" });
    alice.comment(issue, "not told");
    alice.openIssue({ repo: other, title: "not told" });
    town.github.addToInstallation(town.installation, []);
    await town.github.deliverySettled();
    expect(town.names().slice(2)).toEqual(["issues.opened", "installation_repositories.added"]);
  });

  it("tell a card's move with field, from and to, but neither number nor repository", async () => {
    const town = await createTown();
    const alice = town.github.as("alice");
    const issue = alice.openIssue({ repo: town.app, title: "T" });
    const item = town.github.addCard(town.board, issue);
    alice.moveCard(issue, "Backlog");
    alice.moveCard(issue, "Ready");
    alice.moveCard(issue, "Ready");
    const moves = (await heard(town, "projects_v2_item")).filter(
      ({ payload }) => payload["action"] === "edited",
    );
    expect(moves).toHaveLength(2);
    const [first, second] = moves;
    expect(at(first?.payload, "changes", "field_value", "from")).toBeNull();
    expect(second?.payload).toMatchObject({
      projects_v2_item: { node_id: item.nodeId, content_node_id: issue.nodeId },
      changes: {
        field_value: {
          field_name: "Status",
          field_type: "single_select",
          from: { name: "Backlog" },
          to: { name: "Ready" },
        },
      },
      organization: { login: "acme" },
    });
    expect(second?.payload).not.toHaveProperty("repository");
  });

  it("tell a personal repository's events without an organization, and no dependencies", async () => {
    const town = await createTown();
    const own = await town.github.addRepository({ owner: "alice", name: "own" });
    town.github.installApp({
      account: "alice",
      permissions: { issues: "write" },
      events: ["issues", "issue_dependencies"],
    });
    const alice = town.github.as("alice");
    const [one, two] = ["1", "2"].map((title) => alice.openIssue({ repo: own, title }));
    if (one !== undefined && two !== undefined) alice.block(one, two);
    await town.github.deliverySettled();
    expect(town.names()).not.toContain("issue_dependencies.blocked_by_added");
    const [opened] = await heard(town, "issues");
    expect(opened?.payload).not.toHaveProperty("organization");
  });

  it("tell of every kind of change in the shape of the published schemas", async () => {
    const town = await createTown();
    const { github, app } = town;
    const alice = github.as("alice");
    const bob = github.as("bob");
    const [one, two] = [1, 2].map((n) => alice.openIssue({ repo: app, title: `${n}`, body: "b" }));
    if (one === undefined || two === undefined) throw new Error("no issues");
    alice.block(two, one);
    alice.adopt(one, two);
    alice.editIssue(one, { title: "new", body: "words" });
    alice.label(one, "x");
    alice.unlabel(one, "x");
    alice.closeIssue(one);
    alice.reopenIssue(one);
    await alice.push(app, "work", { files: { w: "w\n" }, message: "w" });
    const pull = await alice.openPullRequest(app, { title: "W", head: "work", draft: true });
    alice.label(pull, "y");
    alice.comment(pull, "on a pull request");
    const review = bob.requestChanges(pull, "no");
    bob.dismissReview(review);
    bob.approve(pull);
    await town.call("PATCH", `/repos/acme/app/pulls/${pull.number}`, { title: "W2" });
    const sha = pull.headSha;
    const run = { name: "verify", head_sha: sha, status: "in_progress" };
    await town.call("POST", "/repos/acme/app/check-runs", run);
    const [made] = github.world.checkRuns;
    if (made !== undefined) bob.press(made, "retry");
    const status = { state: "success", context: "ci" };
    await town.call("POST", `/repos/acme/app/statuses/${sha}`, status);
    github.as("alice").acceptPermissions(town.installation, { workflows: "write" });
    await github.deliverySettled();
    expect(new Set(town.names())).toEqual(
      new Set([
        "installation.created",
        "installation.new_permissions_accepted",
        "projects_v2.created",
        "issues.opened",
        "issue_dependencies.blocked_by_added",
        "issue_dependencies.blocking_added",
        "sub_issues.sub_issue_added",
        "sub_issues.parent_issue_added",
        "issues.edited",
        "label.created",
        "issues.labeled",
        "issues.unlabeled",
        "issues.closed",
        "issues.reopened",
        "push",
        "pull_request.opened",
        "pull_request.labeled",
        "pull_request.edited",
        "issue_comment.created",
        "pull_request_review.submitted",
        "pull_request_review.dismissed",
        "check_run.created",
        "check_run.requested_action",
        "status",
      ]),
    );
  });
});

describe("deliveries", () => {
  it("are listed newest first, never retried, and redelivered with the same guid", async () => {
    const town = await createTown();
    town.github.faults.webhooks.lose = 1;
    town.github.as("alice").openIssue({ repo: town.app, title: "T" });
    town.github.faults.clear();
    const auth = town.jwt();
    await town.github.deliverySettled();
    expect(town.names()).not.toContain("issues.opened");
    const listed = await town.ask("GET", "/app/hook/deliveries?per_page=1", { auth });
    expect(listed.body).toMatchObject([{ event: "issues", status_code: 0, redelivery: false }]);
    expect(listed.headers.get("link")).toContain('rel="next"');
    const failed = await town.ask("GET", "/app/hook/deliveries?status=failure", { auth });
    expect(failed.body).toHaveLength(1);
    const path = `/app/hook/deliveries/${String(town.github.world.deliveries.at(-1)?.id)}`;
    expect((await town.ask("POST", `${path}/attempts`, { auth })).status).toBe(202);
    await town.github.deliverySettled();
    const again = town.heard.at(-1);
    expect(again?.guid).toBe(at(listed.body, 0, "guid"));
    const [newest] = town.github.world.deliveries.toReversed();
    expect(newest).toMatchObject({ redelivery: true, outcome: { statusCode: 200 } });
    const shown = await town.ask("GET", path, { auth });
    expect(at(shown.body, "request", "payload", "action")).toBe("opened");
    expect((await town.ask("GET", "/app/hook/deliveries/1", { auth })).status).toBe(404);
  });

  it("are paged by the cursor of the link, and by no other", async () => {
    const town = await createTown();
    const alice = town.github.as("alice");
    for (const title of ["one", "two", "three"]) alice.openIssue({ repo: town.app, title });
    await town.github.deliverySettled();
    const auth = town.jwt();
    const seen: unknown[] = [];
    let path: string | undefined = "/app/hook/deliveries?per_page=2";
    while (path !== undefined) {
      const page = await town.ask("GET", path, { auth });
      seen.push(...(page.body as { guid: string }[]).map(({ guid }) => guid));
      const next: string | undefined = /<([^>]+)>/.exec(page.headers.get("link") ?? "")?.[1];
      path = next === undefined ? undefined : new URL(next).pathname + new URL(next).search;
    }
    expect(seen).toEqual(town.github.world.deliveries.map(({ guid }) => guid).toReversed());
    const wrong = await town.ask("GET", "/app/hook/deliveries?cursor=next", { auth });
    expect(wrong.status).toBe(400);
  });

  it("have ids beyond 2^53, which a number cannot hold", async () => {
    const town = await createTown();
    town.github.as("alice").openIssue({ repo: town.app, title: "T" });
    await town.github.deliverySettled();
    const headers = { authorization: `Bearer ${town.jwt()}` };
    const answer = await fetch(`${town.github.url}/app/hook/deliveries`, { headers });
    const [newest] = town.github.world.deliveries.toReversed();
    expect(newest?.id).toBeGreaterThan(2n ** 53n);
    expect(await answer.text()).toContain(`"id":${newest?.id},"guid"`);
  });

  it("are forgotten after three days", async () => {
    const town = await createTown();
    town.github.as("alice").openIssue({ repo: town.app, title: "T" });
    await town.github.deliverySettled();
    const { deliveries, now } = town.github.world;
    const old = new Date(now() - 73 * 60 * 60 * 1000).toISOString();
    deliveries.splice(
      0,
      deliveries.length,
      ...deliveries.map((one) => ({ ...one, createdAt: old })),
    );
    const auth = town.jwt();
    expect((await town.ask("GET", "/app/hook/deliveries", { auth })).body).toEqual([]);
    const path = `/app/hook/deliveries/${deliveries[0]?.id ?? 0}`;
    expect((await town.ask("GET", path, { auth })).status).toBe(404);
  });

  it("record an answer of the receiver that is not good as a failure", async () => {
    const town = await createTown();
    town.github.setWebhookUrl("http://127.0.0.1:1/nobody");
    town.github.as("alice").openIssue({ repo: town.app, title: "T" });
    await town.github.deliverySettled();
    expect(town.github.world.deliveries.at(-1)?.outcome).toMatchObject({ state: "failed" });
  });

  it("fail when the receiver takes longer than it may, and are not sent again", async () => {
    const town = await createTown();
    let asked = 0;
    const slow = createServer(() => {
      asked += 1;
    });
    await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      slow.closeAllConnections();
      slow.close();
    });
    town.github.setWebhookUrl(`http://127.0.0.1:${(slow.address() as AddressInfo).port}/`);
    town.github.faults.webhooks.timeoutMs = 1_500;
    town.github.as("alice").openIssue({ repo: town.app, title: "T" });
    await town.github.deliverySettled();
    expect(town.github.world.deliveries.at(-1)?.outcome).toMatchObject({ reason: "timed out" });
    expect(asked).toBe(1);
  });
});
