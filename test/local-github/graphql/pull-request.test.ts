import { describe, expect, it } from "vitest";
import { addUser } from "../../../local-github/actions/accounts.ts";
import {
  createCheckRun,
  createStatus,
  updateCheckRun,
} from "../../../local-github/actions/checks.ts";
import { mergePullRequest } from "../../../local-github/actions/pulls/merge-pull-request.ts";
import { submitReview } from "../../../local-github/actions/pulls/reviews.ts";
import { ask, commitOn, data, pullRequest, smallWorld } from "./small-world.ts";
import type { SmallWorld } from "./small-world.ts";

async function pull(small: SmallWorld, selection: string, faults = {}): Promise<unknown> {
  const query = `query($number: Int!) { repository(owner: "acme", name: "app") {
    pullRequest(number: $number) { ${selection} } } }`;
  const answer = await data(small, query, { variables: { number: 1 }, faults });
  return (answer as { repository: { pullRequest: unknown } }).repository.pullRequest;
}

describe("repository.pullRequest", () => {
  it("answers what a merge train asks", async () => {
    const small = await smallWorld();
    const opened = await pullRequest(small, "feature", "Closes #9");
    expect(
      await pull(
        small,
        `number title body state isDraft merged headRefName headRefOid baseRefName baseRefOid mergeable
         mergeStateStatus reviewDecision author { __typename login } mergeCommit { oid }
         commits(last: 1) { totalCount nodes { commit { oid messageHeadline statusCheckRollup { state } } } }`,
      ),
    ).toEqual({
      number: 1,
      title: "Add feature",
      body: "Closes #9",
      state: "OPEN",
      isDraft: false,
      merged: false,
      headRefName: "feature",
      headRefOid: opened.headSha,
      baseRefName: "main",
      baseRefOid: small.app.refs.get("refs/heads/main"),
      mergeable: "MERGEABLE",
      mergeStateStatus: "CLEAN",
      reviewDecision: null,
      author: { __typename: "Bot", login: "wavetrain" },
      mergeCommit: null,
      commits: {
        totalCount: 1,
        nodes: [
          {
            commit: {
              oid: opened.headSha,
              messageHeadline: "Change feature.txt",
              statusCheckRollup: null,
            },
          },
        ],
      },
    });
  });

  it("has a merge commit and the state MERGED once it landed", async () => {
    const small = await smallWorld();
    const opened = await pullRequest(small, "feature");
    const sha = await mergePullRequest(small.world, opened, { method: "squash", actor: small.ada });
    expect(await pull(small, "state merged mergeCommit { oid } mergedBy { login }")).toEqual({
      state: "MERGED",
      merged: true,
      mergeCommit: { oid: sha },
      mergedBy: { login: "ada" },
    });
  });

  it("does not know whether it is mergeable while the knob says so, and says one thing per answer", async () => {
    const small = await smallWorld();
    await pullRequest(small, "feature");
    let left = 1;
    const faults = { takeUnknownMergeable: () => left-- > 0 };
    expect(await pull(small, "mergeable mergeStateStatus", faults)).toEqual({
      mergeable: "UNKNOWN",
      mergeStateStatus: "UNKNOWN",
    });
    expect(await pull(small, "mergeable", faults)).toEqual({ mergeable: "MERGEABLE" });
  });

  it("conflicts when both sides changed the same lines", async () => {
    const small = await smallWorld();
    await pullRequest(small, "feature");
    const files = { "feature.txt": "something else" };
    await commitOn(small, small.app, { branch: "main", from: "main", files });
    expect(await pull(small, "mergeable")).toEqual({ mergeable: "CONFLICTING" });
  });

  it("has a review decision only where a rule asks for reviews", async () => {
    const small = await smallWorld();
    const opened = await pullRequest(small, "feature");
    submitReview(small.world, opened, { state: "APPROVED", body: "", actor: small.ada });
    expect(await pull(small, "reviewDecision")).toEqual({ reviewDecision: null });
    const parameters = { required_approving_review_count: 1 };
    small.app.rules.push({ type: "pull_request", branch: "main", rulesetId: 1, parameters });
    expect(await pull(small, "reviewDecision")).toEqual({ reviewDecision: "APPROVED" });
    submitReview(small.world, opened, { state: "CHANGES_REQUESTED", body: "no", actor: small.ada });
    expect(await pull(small, "reviewDecision")).toEqual({ reviewDecision: "CHANGES_REQUESTED" });
  });

  it("lists reviews with their commit and what the reviewer is to the repository", async () => {
    const small = await smallWorld();
    const eve = addUser(small.world, "eve");
    const opened = await pullRequest(small, "feature");
    submitReview(small.world, opened, {
      state: "CHANGES_REQUESTED",
      body: "why?",
      actor: small.ada,
    });
    submitReview(small.world, opened, { state: "APPROVED", body: "", actor: small.ada });
    submitReview(small.world, opened, { state: "APPROVED", body: "", actor: eve });
    const review = "author { login } state authorAssociation commit { oid } body";
    expect(
      await pull(
        small,
        `reviews(last: 5, states: [CHANGES_REQUESTED]) { nodes { ${review} } }
         latestReviews(first: 5) { nodes { author { login } state authorAssociation } }`,
      ),
    ).toEqual({
      reviews: {
        nodes: [
          {
            author: { login: "ada" },
            state: "CHANGES_REQUESTED",
            authorAssociation: "MEMBER",
            commit: { oid: opened.headSha },
            body: "why?",
          },
        ],
      },
      latestReviews: {
        nodes: [
          { author: { login: "ada" }, state: "APPROVED", authorAssociation: "MEMBER" },
          { author: { login: "eve" }, state: "APPROVED", authorAssociation: "NONE" },
        ],
      },
    });
  });

  it("rolls checks and statuses up: one failure fails, one that runs is pending, none is null", async () => {
    const small = await smallWorld();
    const opened = await pullRequest(small, "feature");
    const actor = small.world.app.bot;
    const rollup =
      "statusCheckRollup { state contexts(first: 5) { checkRunCount statusContextCount } }";
    const headSha = opened.headSha;
    const run = createCheckRun(small.world, small.app, { name: "ci", headSha, actor });
    createStatus(small.world, small.app, { sha: headSha, state: "success", actor });
    expect(await pull(small, rollup)).toEqual({
      statusCheckRollup: {
        state: "PENDING",
        contexts: { checkRunCount: 1, statusContextCount: 1 },
      },
    });
    updateCheckRun(small.world, run, { conclusion: "success", actor });
    expect(await pull(small, rollup)).toMatchObject({ statusCheckRollup: { state: "SUCCESS" } });
    createStatus(small.world, small.app, { sha: headSha, state: "failure", actor });
    expect(await pull(small, rollup)).toMatchObject({ statusCheckRollup: { state: "FAILURE" } });
  });

  it("answers what it answered before while reads are stale", async () => {
    const small = await smallWorld();
    const opened = await pullRequest(small, "feature");
    const before = opened.headSha;
    expect(await pull(small, "headRefOid")).toEqual({ headRefOid: before });
    const files = { "more.txt": "more" };
    const after = await commitOn(small, small.app, { branch: "feature", from: "feature", files });
    let left = 1;
    const faults = { takeStaleRead: () => left-- > 0 };
    expect(await pull(small, "headRefOid", faults)).toEqual({ headRefOid: before });
    expect(await pull(small, "headRefOid", faults)).toEqual({ headRefOid: after });
  });
});

describe("repository.pullRequests", () => {
  it("filters by state and branch", async () => {
    const small = await smallWorld();
    const first = await pullRequest(small, "first");
    await pullRequest(small, "second");
    await mergePullRequest(small.world, first, { method: "merge", actor: small.ada });
    const query = `query($states: [PullRequestState!], $head: String) {
      repository(owner: "acme", name: "app") {
        pullRequests(first: 10, states: $states, headRefName: $head, baseRefName: "main") { nodes { number } } } }`;
    const numbers = async (variables: Record<string, unknown>) => {
      const answer = await data(small, query, { variables });
      const read = answer as { repository: { pullRequests: { nodes: { number: number }[] } } };
      return read.repository.pullRequests.nodes.map(({ number }) => number);
    };
    expect(await numbers({})).toEqual([1, 2]);
    expect(await numbers({ states: ["OPEN"] })).toEqual([2]);
    expect(await numbers({ states: ["MERGED"] })).toEqual([1]);
    expect(await numbers({ head: "second" })).toEqual([2]);
  });
});

describe("mergePullRequest", () => {
  const MERGE = `mutation($input: MergePullRequestInput!) {
    mergePullRequest(input: $input) { pullRequest { merged mergeCommit { oid parents(first: 3) { totalCount } } } } }`;

  it("merges the head that was expected", async () => {
    const small = await smallWorld();
    const opened = await pullRequest(small, "feature");
    const input = {
      pullRequestId: opened.nodeId,
      expectedHeadOid: opened.headSha,
      mergeMethod: "SQUASH",
    };
    const answer = await data(small, MERGE, { variables: { input } });
    const main = small.app.refs.get("refs/heads/main");
    expect(answer).toEqual({
      mergePullRequest: {
        pullRequest: { merged: true, mergeCommit: { oid: main, parents: { totalCount: 1 } } },
      },
    });
    const closed = { name: "pull_request", action: "closed", pull: opened };
    expect(small.events).toContainEqual(expect.objectContaining(closed));
  });

  it("refuses when the head moved", async () => {
    const small = await smallWorld();
    const opened = await pullRequest(small, "feature");
    const input = { pullRequestId: opened.nodeId, expectedHeadOid: "0".repeat(39) + "1" };
    const answer = await ask(small, MERGE, { variables: { input } });
    expect(answer.errors).toMatchObject([
      {
        type: "UNPROCESSABLE",
        message: "Head branch was modified. Review and try the merge again.",
      },
    ]);
    expect(opened.landing).toBeNull();
  });

  it("needs write access to contents", async () => {
    const small = await smallWorld();
    const opened = await pullRequest(small, "feature");
    const token = { permissions: { pull_requests: "write", contents: "read" } } as const;
    const input = { pullRequestId: opened.nodeId };
    const answer = await ask(small, MERGE, { variables: { input }, token });
    expect(answer.errors).toMatchObject([{ type: "FORBIDDEN" }]);
  });
});

describe("pull request mutations", () => {
  const mutation = (name: string, type: string) =>
    `mutation($input: ${type}!) { ${name}(input: $input) { pullRequest { number isDraft state headRefOid } } }`;

  it("open a draft, make it ready, bring it up to date and close it", async () => {
    const small = await smallWorld();
    await commitOn(small, small.app, { branch: "feature", from: "main", files: { "f.txt": "f" } });
    const input = {
      repositoryId: small.app.nodeId,
      title: "Feature",
      headRefName: "feature",
      baseRefName: "main",
      draft: true,
    };
    const create = mutation("createPullRequest", "CreatePullRequestInput");
    expect(await data(small, create, { variables: { input } })).toMatchObject({
      createPullRequest: { pullRequest: { number: 1, isDraft: true, state: "OPEN" } },
    });
    const [opened] = [...small.world.threads.values()];
    const variables = { input: { pullRequestId: opened!.nodeId } };
    const ready = mutation("markPullRequestReadyForReview", "MarkPullRequestReadyForReviewInput");
    await data(small, ready, { variables });
    await commitOn(small, small.app, { branch: "main", from: "main", files: { "m.txt": "m" } });
    const update = mutation("updatePullRequestBranch", "UpdatePullRequestBranchInput");
    await data(small, update, { variables });
    const close = mutation("closePullRequest", "ClosePullRequestInput");
    expect(await data(small, close, { variables })).toMatchObject({
      closePullRequest: { pullRequest: { isDraft: false, state: "CLOSED" } },
    });
    const actions = small.events.filter(({ name }) => name === "pull_request");
    expect(actions.map(({ action }) => action)).toEqual([
      "opened",
      "ready_for_review",
      "synchronize",
      "closed",
    ]);
  });

  it("answer why a pull request cannot be opened", async () => {
    const small = await smallWorld();
    const input = {
      repositoryId: small.app.nodeId,
      title: "Nothing",
      headRefName: "main",
      baseRefName: "main",
    };
    const create = mutation("createPullRequest", "CreatePullRequestInput");
    expect((await ask(small, create, { variables: { input } })).errors).toMatchObject([
      { type: "UNPROCESSABLE", message: "No commits between main and main" },
    ]);
  });
});
