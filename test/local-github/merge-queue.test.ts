import { describe, expect, it } from "vitest";
import type { PullRequest } from "../../local-github/model/pull-request.ts";
import { branchSha } from "../../local-github/model/repository.ts";
import { at, createTown } from "./town.ts";
import type { Town } from "./town.ts";

const REPO = "/repos/acme/app";

async function townWithQueue(...checks: readonly string[]): Promise<Town> {
  const town = await createTown();
  town.github.addRule(town.app, { type: "merge_queue", branch: "main" });
  if (checks.length === 0) return town;
  const required = checks.map((context) => ({ context }));
  town.github.addRule(town.app, {
    type: "required_status_checks",
    branch: "main",
    parameters: { required_status_checks: required, strict_required_status_checks_policy: false },
  });
  return town;
}

async function work(town: Town, name: string, files: Record<string, string> = { [name]: "w\n" }) {
  const alice = town.github.as("alice");
  await alice.push(town.app, name, { files, message: name });
  return alice.openPullRequest(town.app, { title: name, head: name });
}

async function graphql(town: Town, query: string, variables: Record<string, unknown> = {}) {
  return (await town.call("POST", "/graphql", { query, variables })).body;
}

const ENQUEUE = `mutation($pull: ID!, $head: GitObjectID) {
  enqueuePullRequest(input: { pullRequestId: $pull, expectedHeadOid: $head }) {
    mergeQueueEntry { position state enqueuer { login } pullRequest { number } } } }`;
const DEQUEUE = `mutation($pull: ID!) { dequeuePullRequest(input: { id: $pull }) {
    mergeQueueEntry { pullRequest { number } } } }`;
const QUEUE = `{ repository(owner: "acme", name: "app") { mergeQueue(branch: "main") {
    entries(first: 10) { nodes { state position headCommit { oid } baseCommit { oid }
      pullRequest { number isInMergeQueue } } } } } }`;

async function enqueue(town: Town, pull: PullRequest, head = pull.headSha): Promise<unknown> {
  const answer = await graphql(town, ENQUEUE, { pull: pull.nodeId, head });
  await town.github.deliverySettled();
  return answer;
}

async function report(town: Town, sha: string, conclusion: string) {
  await town.call("POST", `${REPO}/check-runs`, { name: "verify", head_sha: sha, conclusion });
  await town.github.deliverySettled();
}

async function entries(town: Town): Promise<readonly unknown[]> {
  const nodes = at(await graphql(town, QUEUE), "data", "repository", "mergeQueue", "entries");
  return at(nodes, "nodes") as readonly unknown[];
}

function groups(town: Town): readonly unknown[] {
  return town.heard
    .filter(({ event }) => event === "merge_group")
    .map(({ payload }) => ({
      action: payload["action"],
      ...("reason" in payload && { reason: payload["reason"] }),
    }));
}

describe("a branch with a merge queue", () => {
  it("refuses direct merges and ref updates", async () => {
    const town = await townWithQueue();
    const pull = await work(town, "work");
    const merge = await town.call("PUT", `${REPO}/pulls/${pull.number}/merge`, {});
    expect(merge.status).toBe(405);
    expect(at(merge.body, "message")).toContain("Changes must be made through the merge queue");
    const moved = await town.call("PATCH", `${REPO}/git/refs/heads/main`, { sha: pull.headSha });
    expect(moved.status).toBe(422);
  });

  it("builds the group's commit on a branch of its own and asks for its checks", async () => {
    const town = await townWithQueue("verify");
    const pull = await work(town, "work");
    await report(town, pull.headSha, "success");
    await enqueue(town, pull);
    const main = branchSha(town.app, "main") ?? "";
    const name = `gh-readonly-queue/main/pr-${pull.number}-${main}`;
    const head = branchSha(town.app, name);
    expect(head).toBeDefined();
    expect(await entries(town)).toMatchObject([
      {
        state: "AWAITING_CHECKS",
        position: 1,
        headCommit: { oid: head },
        baseCommit: { oid: main },
      },
    ]);
    const asked = town.heard.find(({ event }) => event === "merge_group");
    expect(asked?.payload).toMatchObject({
      action: "checks_requested",
      merge_group: { head_sha: head, head_ref: `refs/heads/${name}`, base_sha: main },
    });
    expect(town.names()).toContain("pull_request.enqueued");
  });

  it("lands exactly the group's commit when its checks pass, and destroys the group", async () => {
    const town = await townWithQueue("verify");
    const pull = await work(town, "work");
    await report(town, pull.headSha, "success");
    await enqueue(town, pull);
    const head = String(at((await entries(town))[0], "headCommit", "oid"));
    await report(town, head, "success");
    expect(branchSha(town.app, "main")).toBe(head);
    expect(pull.landing?.sha).toBe(head);
    expect(await entries(town)).toEqual([]);
    expect(groups(town)).toEqual([
      { action: "checks_requested" },
      { action: "destroyed", reason: "merged" },
    ]);
    expect([...town.app.refs.keys()].join(" ")).not.toContain("gh-readonly-queue");
  });

  it("sends a pull request back whose group fails, and builds those behind it anew", async () => {
    const town = await townWithQueue("verify");
    const [bad, good] = [await work(town, "bad"), await work(town, "good")];
    for (const pull of [bad, good]) await report(town, pull.headSha, "success");
    await enqueue(town, bad);
    await enqueue(town, good);
    const [first, second] = await entries(town);
    expect(at(second, "baseCommit", "oid")).toBe(at(first, "headCommit", "oid"));
    await report(town, String(at(first, "headCommit", "oid")), "failure");
    expect(bad.state).toBe("open");
    expect(town.names()).toContain("pull_request.dequeued");
    const [again] = await entries(town);
    expect(again).toMatchObject({ position: 1, pullRequest: { number: good.number } });
    await report(town, String(at(again, "headCommit", "oid")), "success");
    expect(good.landing).not.toBeNull();
    expect(groups(town)).toContainEqual({ action: "destroyed", reason: "invalidated" });
  });

  it("takes only an open head that is expected and meets the branch's other rules", async () => {
    const town = await townWithQueue("verify");
    const pull = await work(town, "work");
    const refused = async (head: string) =>
      at(await enqueue(town, pull, head), "errors", 0, "message");
    expect(await refused("0".repeat(40))).toContain("Head branch was modified");
    expect(await refused(pull.headSha)).toContain('"verify" is expected');
    await report(town, pull.headSha, "success");
    expect(at(await enqueue(town, pull), "errors")).toBeUndefined();
    expect(await refused(pull.headSha)).toContain("already in the queue");
  });

  it("lets a pull request go on request, with new commits, and when it conflicts", async () => {
    const town = await townWithQueue();
    const rule = { required_status_checks: [{ context: "verify" }] };
    const pull = await work(town, "work", { same: "mine\n" });
    const other = await work(town, "other", { same: "theirs\n" });
    await graphql(town, ENQUEUE, { pull: pull.nodeId });
    await town.github.deliverySettled();
    expect(pull.landing).not.toBeNull();
    await enqueue(town, other);
    expect(await entries(town)).toEqual([]);
    expect(other.landing).toBeNull();
    const third = await work(town, "third");
    const parameters = { ...rule, strict_required_status_checks_policy: false };
    await report(town, third.headSha, "success");
    town.github.addRule(town.app, { type: "required_status_checks", branch: "main", parameters });
    await enqueue(town, third);
    await graphql(town, DEQUEUE, { pull: third.nodeId });
    expect(await entries(town)).toEqual([]);
    await enqueue(town, third);
    expect(await entries(town)).toHaveLength(1);
    await town.github.as("alice").push(town.app, "third", { files: { t: "2\n" }, message: "2" });
    await town.github.deliverySettled();
    expect(await entries(town)).toEqual([]);
  });
});
