import { describe, expect, it } from "vitest";
import { ask, commitOn, data, pullRequest, smallWorld } from "./small-world.ts";
import type { SmallWorld } from "./small-world.ts";

const UPDATE = `mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }`;
const ZERO = "0".repeat(40);

interface Update {
  readonly name: string;
  readonly afterOid: string;
  readonly beforeOid?: string;
  readonly force?: boolean;
}

async function update(small: SmallWorld, ...refUpdates: readonly Update[]) {
  const input = { repositoryId: small.app.nodeId, refUpdates };
  return ask(small, UPDATE, { variables: { input } });
}

async function twoBranches() {
  const small = await smallWorld();
  const main = small.app.refs.get("refs/heads/main")!;
  const files = { "a.txt": "a" };
  const ahead = await commitOn(small, small.app, { branch: "ahead", from: "main", files });
  const beside = await commitOn(small, small.app, {
    branch: "beside",
    from: "main",
    files: { "b.txt": "b" },
  });
  return { small, main, ahead, beside, refs: small.app.refs };
}

describe("updateRefs", () => {
  it("moves a branch forward from where it must be, and tells the push", async () => {
    const { small, main, ahead, refs } = await twoBranches();
    const answer = await update(small, {
      name: "refs/heads/main",
      beforeOid: main,
      afterOid: ahead,
    });
    expect(answer.errors).toBeUndefined();
    expect(refs.get("refs/heads/main")).toBe(ahead);
    const push = { name: "push", ref: "refs/heads/main", before: main, after: ahead };
    expect(small.events).toContainEqual(expect.objectContaining(push));
  });

  it("changes nothing when one of the branches is not where it must be", async () => {
    const { small, main, ahead, refs } = await twoBranches();
    const answer = await update(
      small,
      { name: "refs/heads/new", beforeOid: ZERO, afterOid: ahead },
      { name: "refs/heads/main", beforeOid: ahead, afterOid: ahead },
    );
    expect(answer).toMatchObject({
      data: { updateRefs: null },
      errors: [{ type: "STALE_DATA", path: ["updateRefs"] }],
    });
    expect(refs.get("refs/heads/main")).toBe(main);
    expect(refs.has("refs/heads/new")).toBe(false);
  });

  it("does not rewind a branch unless forced", async () => {
    const { small, ahead, beside, refs } = await twoBranches();
    const move = { name: "refs/heads/ahead", beforeOid: ahead, afterOid: beside };
    expect((await update(small, move)).errors).toMatchObject([
      { type: "UNPROCESSABLE", message: "Update is not a fast forward" },
    ]);
    expect(refs.get("refs/heads/ahead")).toBe(ahead);
    expect((await update(small, { ...move, force: true })).errors).toBeUndefined();
    expect(refs.get("refs/heads/ahead")).toBe(beside);
  });

  it("creates a ref that must not exist, and deletes one, by forty zeros", async () => {
    const { small, ahead, refs } = await twoBranches();
    await update(small, { name: "refs/heads/new", beforeOid: ZERO, afterOid: ahead });
    expect(refs.get("refs/heads/new")).toBe(ahead);
    const again = await update(small, {
      name: "refs/heads/new",
      beforeOid: ZERO,
      afterOid: ahead,
    });
    expect(again.errors).toMatchObject([{ type: "STALE_DATA" }]);
    await update(small, { name: "refs/heads/new", beforeOid: ahead, afterOid: ZERO });
    expect(refs.has("refs/heads/new")).toBe(false);
  });

  it("makes a pull request merged when its base branch now has its head", async () => {
    const small = await smallWorld();
    const opened = await pullRequest(small, "feature");
    await update(small, {
      name: "refs/heads/main",
      beforeOid: opened.baseSha,
      afterOid: opened.headSha,
    });
    expect(opened.landing).toMatchObject({ sha: opened.headSha });
  });

  it("closes a pull request whose head and base come to the same commit in one call", async () => {
    const small = await smallWorld();
    const opened = await pullRequest(small, "feature");
    const squashed = await commitOn(small, small.app, {
      branch: "squashed",
      from: "main",
      files: { "feature.txt": "feature" },
    });
    const { headSha, baseSha } = opened;
    await update(
      small,
      { name: "refs/heads/feature", beforeOid: headSha, afterOid: squashed, force: true },
      { name: "refs/heads/main", beforeOid: baseSha, afterOid: squashed },
    );
    expect([opened.state, opened.landing]).toEqual(["closed", null]);
  });

  it("needs write access to contents", async () => {
    const { small, ahead } = await twoBranches();
    const input = {
      repositoryId: small.app.nodeId,
      refUpdates: [{ name: "refs/heads/main", afterOid: ahead }],
    };
    const token = { permissions: { contents: "read" } } as const;
    const answer = await ask(small, UPDATE, { variables: { input }, token });
    expect(answer.errors).toMatchObject([{ type: "FORBIDDEN" }]);
  });
});

describe("repository.ref and repository.object", () => {
  it("name branches and commits", async () => {
    const { small, ahead } = await twoBranches();
    const answer = await data(
      small,
      `query($oid: GitObjectID!) { repository(owner: "acme", name: "app") {
        ref(qualifiedName: "refs/heads/ahead") { name prefix target { oid } }
        missing: ref(qualifiedName: "refs/heads/nowhere") { name }
        object(oid: $oid) { ... on Commit { message parents(first: 1) { nodes { oid } } tree { oid } } }
        refs(first: 5, refPrefix: "refs/heads/") { nodes { name } } } }`,
      { variables: { oid: ahead } },
    );
    expect(answer).toMatchObject({
      repository: {
        ref: { name: "ahead", prefix: "refs/heads/", target: { oid: ahead } },
        missing: null,
        object: {
          message: "Change a.txt",
          parents: { nodes: [{ oid: small.app.refs.get("refs/heads/main") }] },
        },
        refs: { nodes: [{ name: "ahead" }, { name: "beside" }, { name: "main" }] },
      },
    });
  });
});
