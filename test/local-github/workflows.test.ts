import { describe, expect, it } from "vitest";
import { branchSha } from "../../local-github/model/repository.ts";
import { at, createTown } from "./town.ts";

const REPO = "/repos/acme/app";
const PATH = ".github/workflows/ci.yml";
const WORDS = `refusing to allow a GitHub App to create or update workflow \`${PATH}\` without \`workflows\` permission`;

async function townWithWorkflow() {
  const town = await createTown();
  const alice = town.github.as("alice");
  await alice.push(town.app, "work", { files: { [PATH]: "on: push\n" }, message: "w" });
  return { town, pull: await alice.openPullRequest(town.app, { title: "W", head: "work" }) };
}

describe("an App without the workflows permission", () => {
  it("cannot merge a pull request that changes a workflow file", async () => {
    const { town, pull } = await townWithWorkflow();
    const merged = await town.call("PUT", `${REPO}/pulls/${pull.number}/merge`, {});
    expect(merged).toMatchObject({ status: 403, body: { message: WORDS } });
    const query = `mutation($pull: ID!) { mergePullRequest(input: { pullRequestId: $pull }) { clientMutationId } }`;
    const asked = await town.call("POST", "/graphql", { query, variables: { pull: pull.nodeId } });
    expect(at(asked.body, "errors", 0, "message")).toBe(WORDS);
  });

  it("cannot move a branch to a commit that has another workflow file", async () => {
    const { town, pull } = await townWithWorkflow();
    const move = async (path: string) =>
      town.call("PATCH", `${REPO}/git/refs/heads/${path}`, { sha: pull.headSha });
    expect(await move("main")).toMatchObject({ status: 403, body: { message: WORDS } });
  });

  it("cannot move a branch back to a commit that is behind the default branch there", async () => {
    const { town, pull } = await townWithWorkflow();
    const old = branchSha(town.app, "main");
    await town.github.as("alice").merge(pull);
    const made = await town.call("POST", `${REPO}/git/refs`, { ref: "refs/heads/old", sha: old });
    expect(made).toMatchObject({ status: 403, body: { message: WORDS } });
  });

  it("may move a branch to what the default branch already has", async () => {
    const { town, pull } = await townWithWorkflow();
    const alice = town.github.as("alice");
    const old = branchSha(town.app, "main") ?? "";
    await town.call("POST", `${REPO}/git/refs`, { ref: "refs/heads/old", sha: old });
    await alice.merge(pull);
    const sha = branchSha(town.app, "main");
    const moved = await town.call("PATCH", `${REPO}/git/refs/heads/old`, { sha });
    expect(moved.status).toBe(200);
  });
});
