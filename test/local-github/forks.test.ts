import { describe, expect, it } from "vitest";
import { createTown } from "./town.ts";

const REPO = "/repos/acme/app";

async function forked() {
  const town = await createTown();
  const rita = town.github.as("rita");
  const fork = await town.github.fork(town.app, "rita");
  await rita.push(fork, "work", { files: { w: "w\n" }, message: "w" });
  const pull = await rita.openPullRequest(town.app, { title: "W", head: "rita:work" });
  return { town, rita, fork, pull };
}

describe("a pull request of a fork", () => {
  it("has its head in another repository, and its commits in this one", async () => {
    const { town, fork, pull } = await forked();
    const shown = await town.call("GET", `${REPO}/pulls/${pull.number}`);
    expect(shown.body).toMatchObject({
      head: { label: "rita:work", repo: { full_name: "rita/app", fork: true } },
      base: { repo: { full_name: "acme/app", fork: false } },
      mergeable: true,
    });
    expect(town.app.refs.get(`refs/pull/${pull.number}/head`)).toBe(pull.headSha);
    expect(town.app.refs.has("refs/heads/work")).toBe(false);
    expect(fork.refs.get("refs/heads/work")).toBe(pull.headSha);
  });

  it("follows its branch", async () => {
    const { town, rita, fork, pull } = await forked();
    const sha = await rita.push(fork, "work", { files: { w: "2\n" }, message: "2" });
    expect(pull.headSha).toBe(sha);
    await town.github.deliverySettled();
    expect(town.names()).toContain("pull_request.synchronize");
  });

  it("can be merged by the App, which can not write to the fork", async () => {
    const { town, fork, pull } = await forked();
    const update = await town.call("PUT", `${REPO}/pulls/${pull.number}/update-branch`, {});
    expect(update.status).toBe(403);
    const token = await town.token();
    const remote = town.remote(token).replace("acme/app", "rita/app");
    const scratch = await town.scratch();
    await town.git(scratch, "clone", "-q", fork.dir, "there");
    const pushed = town.git(`${scratch}/there`, "push", "-q", remote, "HEAD:refs/heads/theirs");
    await expect(pushed).rejects.toThrow(/not found|denied|403/i);
    const merged = await town.call("PUT", `${REPO}/pulls/${pull.number}/merge`, {});
    expect(merged.status).toBe(200);
  });
});
