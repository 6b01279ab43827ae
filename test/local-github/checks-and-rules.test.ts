import { describe, expect, it } from "vitest";
import { branchSha } from "../../local-github/model/repository.ts";
import { at, createTown } from "./town.ts";
import type { Town } from "./town.ts";

const REPO = "/repos/acme/app";

async function work(town: Town) {
  const alice = town.github.as("alice");
  await alice.push(town.app, "work", { files: { w: "w\n" }, message: "w" });
  return alice.openPullRequest(town.app, { title: "W", head: "work" });
}

describe("check runs and statuses", () => {
  it("are reported on a commit; the newest of a name counts", async () => {
    const town = await createTown();
    const pull = await work(town);
    const run = { name: "verify", head_sha: pull.headSha, status: "in_progress" };
    const made = await town.call("POST", `${REPO}/check-runs`, run);
    expect(made.body).toMatchObject({ status: "in_progress", conclusion: null });
    expect(at(made.body, "pull_requests", 0, "number")).toBe(pull.number);
    const done = await town.call("PATCH", `${REPO}/check-runs/${String(at(made.body, "id"))}`, {
      conclusion: "failure",
      output: { title: "red", summary: "why" },
    });
    expect(done.body).toMatchObject({ status: "completed", output: { title: "red" } });
    await town.call("POST", `${REPO}/check-runs`, {
      ...run,
      status: "completed",
      conclusion: "success",
    });
    const listed = await town.call("GET", `${REPO}/commits/work/check-runs`);
    expect(listed.body).toMatchObject({ total_count: 1, check_runs: [{ conclusion: "success" }] });
  });

  it("stay completed whatever status they are told next; only another run of the name waits again", async () => {
    const town = await createTown();
    const pull = await work(town);
    town.github.addRule(town.app, {
      type: "required_status_checks",
      branch: "main",
      parameters: { required_status_checks: [{ context: "verify" }] },
    });
    const green = { name: "verify", head_sha: pull.headSha, conclusion: "success" };
    const made = await town.call("POST", `${REPO}/check-runs`, green);
    const path = `${REPO}/check-runs/${String(at(made.body, "id"))}`;
    for (const status of ["in_progress", "queued"]) {
      const output = { title: status, summary: "" };
      const told = await town.call("PATCH", path, { status, output });
      expect(told).toMatchObject({
        status: 200,
        body: { status: "completed", conclusion: "success", output: { title: status } },
      });
    }
    await town.call("PATCH", path, { conclusion: "failure" });
    const merge = async () => (await town.call("PUT", `${REPO}/pulls/1/merge`, {})).status;
    expect(await merge()).toBe(405);
    await town.call("PATCH", path, { conclusion: "success" });
    const waiting = { name: "verify", head_sha: pull.headSha, status: "queued" };
    await town.call("POST", `${REPO}/check-runs`, waiting);
    expect(await merge()).toBe(405);
    await town.call("POST", `${REPO}/check-runs`, green);
    expect(await merge()).toBe(200);
  });

  it("are refused with 422 on a commit that is not there", async () => {
    const town = await createTown();
    const run = { name: "verify", head_sha: "0".repeat(40) };
    expect((await town.call("POST", `${REPO}/check-runs`, run)).status).toBe(422);
    const status = { state: "success" };
    const path = `${REPO}/statuses/${run.head_sha}`;
    expect((await town.call("POST", path, status)).status).toBe(422);
  });

  it("combine to pending when there are none, failure when one fails, success when all pass", async () => {
    const town = await createTown();
    const pull = await work(town);
    const state = async () =>
      at((await town.call("GET", `${REPO}/commits/${pull.headSha}/status`)).body, "state");
    const report = async (context: string, value: string) =>
      town.call("POST", `${REPO}/statuses/${pull.headSha}`, { state: value, context });
    expect(await state()).toBe("pending");
    await report("a", "success");
    await report("b", "failure");
    expect(await state()).toBe("failure");
    await report("b", "success");
    expect(await state()).toBe("success");
  });
});

describe("rules of a branch", () => {
  it("are listed with metadata access alone", async () => {
    const town = await createTown();
    town.github.addRule(town.app, {
      type: "required_status_checks",
      branch: "main",
      parameters: {
        strict_required_status_checks_policy: true,
        required_status_checks: [{ context: "verify" }],
      },
    });
    town.github.addRule(town.app, { type: "non_fast_forward", branch: "~DEFAULT_BRANCH" });
    const auth = await town.token({ permissions: { metadata: "read" } });
    const rules = await town.ask("GET", `${REPO}/rules/branches/main`, { auth });
    expect(rules.body).toMatchObject([
      { type: "required_status_checks", ruleset_source: "acme/app" },
      { type: "non_fast_forward" },
    ]);
    expect((await town.ask("GET", `${REPO}/rules/branches/work`, { auth })).body).toEqual([]);
    const branch = await town.call("GET", `${REPO}/branches/main`);
    expect(branch.body).toMatchObject({ name: "main", protected: true });
  });

  it("hold a merge back until reviewed by someone with write access and checked", async () => {
    const town = await createTown();
    town.github.addRule(town.app, {
      type: "pull_request",
      branch: "main",
      parameters: {
        required_approving_review_count: 1,
        dismiss_stale_reviews_on_push: true,
        require_code_owner_review: false,
        require_last_push_approval: false,
        required_review_thread_resolution: false,
      },
    });
    town.github.addRule(town.app, {
      type: "required_status_checks",
      branch: "main",
      parameters: {
        strict_required_status_checks_policy: false,
        required_status_checks: [{ context: "verify", integration_id: town.github.world.app.id }],
      },
    });
    const pull = await work(town);
    const merge = async () => town.call("PUT", `${REPO}/pulls/1/merge`, { sha: pull.headSha });
    const state = async () =>
      at((await town.call("GET", `${REPO}/pulls/1`)).body, "mergeable_state");
    const first = await merge();
    expect(first.status).toBe(405);
    expect(at(first.body, "message")).toContain("At least 1 approving review is required");
    expect(at(first.body, "message")).toContain('Required status check "verify" is expected.');
    const run = { name: "verify", head_sha: pull.headSha, conclusion: "success" };
    await town.call("POST", `${REPO}/check-runs`, { ...run, status: "completed" });
    town.github.as("rita").approve(pull);
    expect(await state()).toBe("blocked");
    town.github.as("bob").approve(pull);
    expect(await state()).toBe("clean");
    const files = { w: "w2\n" };
    await town.github.as("alice").push(town.app, "work", { files, message: "more" });
    expect(pull.reviews.map((review) => review.state)).toEqual(["DISMISSED", "DISMISSED"]);
    expect((await merge()).status).toBe(405);
  });

  it("keep pushes and ref updates off a branch, except the head of a pull request that meets them", async () => {
    const town = await createTown();
    const pull = await work(town);
    town.github.addRule(town.app, {
      type: "pull_request",
      branch: "main",
      parameters: {
        required_approving_review_count: 1,
        dismiss_stale_reviews_on_push: false,
        require_code_owner_review: false,
        require_last_push_approval: false,
        required_review_thread_resolution: false,
      },
    });
    const dir = await town.scratch();
    await town.git(dir, "clone", "-q", town.remote(await town.token()), ".");
    const push = async () =>
      town.git(dir, "push", "-q", "origin", "origin/work:main").catch(String);
    expect(await push()).toContain("GH013: Repository rule violations found for refs/heads/main");
    const body = { sha: pull.headSha };
    const direct = await town.call("PATCH", `${REPO}/git/refs/heads/main`, body);
    expect(direct.status).toBe(422);
    expect(at(direct.body, "message")).toContain("Changes must be made through a pull request.");
    expect(pull.landing).toBeNull();
    town.github.as("bob").approve(pull);
    expect(await push()).toBe("");
    expect(pull.landing).not.toBeNull();
  });

  it("keep merge commits off a branch that wants a linear history", async () => {
    const town = await createTown();
    const pull = await work(town);
    town.github.addRule(town.app, { type: "required_linear_history", branch: "main" });
    const path = `${REPO}/pulls/${pull.number}`;
    const merged = await town.call("PUT", `${path}/merge`, { merge_method: "merge" });
    expect(merged.status).toBe(405);
    expect(at(merged.body, "message")).toContain("must not contain merge commits");
    await town.github.as("alice").push(town.app, "main", { files: { m: "m\n" }, message: "m" });
    await town.call("PUT", `${path}/update-branch`, {});
    const ref = `${REPO}/git/refs/heads/main`;
    expect((await town.call("PATCH", ref, { sha: pull.headSha })).status).toBe(422);
    const squashed = await town.call("PUT", `${path}/merge`, { merge_method: "squash" });
    expect(squashed.status).toBe(200);
  });

  it("keep a branch from being rewound by a push", async () => {
    const town = await createTown();
    town.github.addRule(town.app, { type: "non_fast_forward", branch: "main" });
    const first = branchSha(town.app, "main");
    await town.github.as("bob").push(town.app, "main", { files: { m: "m\n" }, message: "m" });
    const dir = await town.scratch();
    await town.git(dir, "clone", "-q", town.remote(await town.token()), ".");
    const rewind = await town
      .git(dir, "push", "-q", "--force", "origin", `${first ?? ""}:main`)
      .catch(String);
    expect(rewind).toContain("Cannot force-push to this branch");
    await town.git(dir, "commit", "-q", "--allow-empty", "-m", "on");
    await town.git(dir, "push", "-q", "origin", "HEAD:main");
    expect(branchSha(town.app, "main")).toBe(await town.git(dir, "rev-parse", "HEAD"));
  });

  it("do not hold back an App that may bypass them", async () => {
    const town = await createTown();
    const pull = await work(town);
    const bypassAppIds = [town.github.world.app.id];
    town.github.addRule(town.app, { type: "update", branch: "main", bypassAppIds });
    const body = { sha: pull.headSha };
    expect((await town.call("PATCH", `${REPO}/git/refs/heads/main`, body)).status).toBe(200);
    await expect(
      town.github.as("bob").push(town.app, "main", { files: { m: "m" }, message: "m" }),
    ).rejects.toThrow("Cannot update this protected ref.");
  });
});

describe("refs", () => {
  it("are made, moved forward, forced and deleted", async () => {
    const town = await createTown();
    const pull = await work(town);
    const main = branchSha(town.app, "main") ?? "";
    const refs = `${REPO}/git/refs`;
    const make = { ref: "refs/heads/new", sha: main };
    expect((await town.call("POST", refs, make)).status).toBe(201);
    const again = await town.call("POST", refs, make);
    expect([again.status, at(again.body, "message")]).toEqual([422, "Reference already exists"]);
    const move = async (sha: string, force: boolean) =>
      town.call("PATCH", `${refs}/heads/new`, { sha, force });
    expect((await move(pull.headSha, false)).status).toBe(200);
    const back = await move(main, false);
    expect([back.status, at(back.body, "message")]).toEqual([422, "Update is not a fast forward"]);
    expect((await move(main, true)).status).toBe(200);
    const unknown = await move("1".repeat(40), true);
    expect([unknown.status, at(unknown.body, "message")]).toEqual([422, "Object does not exist"]);
    const listed = await town.call("GET", `${REPO}/git/matching-refs/heads/`);
    expect(listed.body).toHaveLength(3);
    expect((await town.call("DELETE", `${refs}/heads/new`)).status).toBe(204);
    expect((await town.call("DELETE", `${refs}/heads/new`)).status).toBe(422);
    expect((await town.call("GET", `${REPO}/git/ref/heads/new`)).status).toBe(404);
    expect((await town.call("POST", refs, { ref: "new", sha: main })).status).toBe(422);
  });
});
