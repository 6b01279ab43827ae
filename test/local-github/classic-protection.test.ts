import { describe, expect, it } from "vitest";
import { branchSha } from "../../local-github/model/repository.ts";
import { at, createTown } from "./town.ts";
import type { Town } from "./town.ts";

const REPO = "/repos/acme/app";

const MOVE = /* GraphQL */ `
  mutation Move($input: UpdateRefsInput!) {
    updateRefs(input: $input) {
      clientMutationId
    }
  }
`;

async function work(town: Town, files: Readonly<Record<string, string>> = { w: "w\n" }) {
  const alice = town.github.as("alice");
  await alice.push(town.app, "work", { files, message: "w" });
  return alice.openPullRequest(town.app, { title: "W", head: "work" });
}

async function moveMain(town: Town, afterOid: string, beforeOid = branchSha(town.app, "main")) {
  const refUpdates = [{ name: "refs/heads/main", beforeOid, afterOid }];
  const input = { repositoryId: town.app.nodeId, refUpdates };
  const answer = await town.call("POST", "/graphql", { query: MOVE, variables: { input } });
  return answer.body as { readonly errors?: readonly { readonly type: string }[] };
}

async function merge(town: Town) {
  const { status, body } = await town.call("PUT", `${REPO}/pulls/1/merge`, {});
  return { status, message: status === 200 ? "" : String(at(body, "message")) };
}

describe("classic branch protection", () => {
  it("is told by the branch, with its required checks, and not among the rules", async () => {
    const town = await createTown();
    town.github.protect(town.app, "main", { checks: { contexts: ["build"] } });
    const auth = await town.token({ permissions: { contents: "read" } });
    const branch = await town.ask("GET", `${REPO}/branches/main`, { auth });
    expect(branch.body).toMatchObject({
      protected: true,
      protection: {
        enabled: true,
        required_status_checks: { enforcement_level: "non_admins", contexts: ["build"] },
      },
    });
    expect((await town.call("GET", `${REPO}/rules/branches/main`)).body).toEqual([]);
  });

  it("refuses pushes, ref updates and merges; GraphQL says so by the error's type", async () => {
    const town = await createTown();
    const pull = await work(town);
    town.github.protect(town.app, "main", { reviews: { count: 1 } });
    expect(await moveMain(town, pull.headSha)).toMatchObject({
      errors: [{ type: "BRANCH_PROTECTION_RULE_VIOLATION" }],
    });
    const direct = await town.call("PATCH", `${REPO}/git/refs/heads/main`, { sha: pull.headSha });
    expect(direct.status).toBe(422);
    expect(await merge(town)).toMatchObject({ status: 405 });
    const dir = await town.scratch();
    await town.git(dir, "clone", "-q", town.remote(await town.token()), ".");
    const push = town.git(dir, "push", "-q", "origin", "origin/work:main").catch(String);
    expect(await push).toContain("Changes must be made through a pull request.");
    town.github.as("bob").approve(pull);
    expect(await moveMain(town, pull.headSha)).toMatchObject({
      errors: [{ type: "BRANCH_PROTECTION_RULE_VIOLATION" }],
    });
    expect(await merge(town)).toEqual({ status: 200, message: "" });
  });

  it("tells a ref that moved by a type of its own", async () => {
    const town = await createTown();
    const pull = await work(town);
    const elsewhere = await moveMain(town, pull.headSha, pull.headSha);
    expect(elsewhere).toMatchObject({ errors: [{ type: "STALE_DATA" }] });
  });

  it("wants signatures, or lets only some push, also by a merge", async () => {
    const town = await createTown();
    await work(town);
    town.github.protect(town.app, "main", { signatures: true });
    expect((await merge(town)).message).toContain("Commits must have verified signatures.");
    town.app.rules.splice(0);
    town.github.protect(town.app, "main", { pushers: { logins: ["bob"] } });
    expect((await merge(town)).message).toContain("Cannot update this protected ref.");
    town.app.rules.splice(0);
    const appIds = [town.github.world.app.id];
    town.github.protect(town.app, "main", { pushers: { appIds } });
    expect(await merge(town)).toEqual({ status: 200, message: "" });
  });

  it("wants a code owner's approval where it says so", async () => {
    const town = await createTown();
    const files = { ".github/CODEOWNERS": "* @alice\n/src/ @carol\n" };
    await town.github.as("alice").push(town.app, "main", { files, message: "Owners" });
    const pull = await work(town, { "src/a": "a\n" });
    town.app.roles.set("carol", "write");
    town.github.addUser("carol");
    town.github.protect(town.app, "main", { reviews: { count: 1, codeOwners: true } });
    town.github.as("bob").approve(pull);
    expect((await merge(town)).message).toContain("Waiting on code owner review.");
    town.github.as("carol").approve(pull);
    expect(await merge(town)).toEqual({ status: 200, message: "" });
  });

  it("wants the last push approved by somebody else, and takes approvals back, only where the diff changed", async () => {
    const town = await createTown();
    const pull = await work(town);
    const reviews = { count: 1, lastPush: true, dismissStale: true };
    town.github.protect(town.app, "main", { reviews });
    town.github.as("bob").approve(pull);
    await town.github.as("bob").push(town.app, "work", { files: {}, message: "Nothing new" });
    expect(pull.reviews.map(({ state }) => state)).toEqual(["APPROVED"]);
    const files = { w: "w2\n" };
    await town.github.as("bob").push(town.app, "work", { files, message: "More" });
    expect(pull.reviews.map(({ state }) => state)).toEqual(["DISMISSED"]);
    town.github.as("bob").approve(pull);
    expect((await merge(town)).message).toContain("someone other than the last pusher");
  });
});
