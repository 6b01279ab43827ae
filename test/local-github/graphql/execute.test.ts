import { describe, expect, it } from "vitest";
import { addRepository } from "../../../local-github/actions/add-repository.ts";
import { mintToken } from "../../../local-github/actions/installations.ts";
import { openIssue } from "../../../local-github/actions/threads/issues.ts";
import { executeGraphql } from "../../../local-github/graphql/execute.ts";
import { requestDocument } from "../../../local-github/graphql/resolve/request-document.ts";
import { ask, card, data, NO_FAULTS, pullRequest, smallWorld } from "./small-world.ts";

async function askRaw(document: string) {
  const { world, installation } = await smallWorld();
  const token = mintToken(world, installation, {});
  const actor = world.app.bot;
  return executeGraphql({ world, faults: NO_FAULTS, token, actor, document, variables: {} });
}

describe("executeGraphql", () => {
  it("answers a document that does not fit the schema with errors and no data", async () => {
    const answer = await askRaw("{ viewer { logn } }");
    expect(answer.data).toBeUndefined();
    expect(answer.errors).toMatchObject([{ locations: [{ line: 1, column: 12 }] }]);
  });

  it("answers text that is no document with errors and no data", async () => {
    const answer = await askRaw("{ viewer {");
    expect(answer.data).toBeUndefined();
    expect(answer.errors).toHaveLength(1);
  });

  it("does not answer null for what is not modelled", async () => {
    const small = await smallWorld();
    const answer = await ask(small, "{ viewer { company } }");
    expect(answer.errors?.[0]?.message).toBe("the local GitHub does not model User.company");
  });

  it("shows the App as a bot whose login has no suffix, except as the viewer", async () => {
    const small = await smallWorld();
    await pullRequest(small, "feature");
    const answer = await data(
      small,
      `{ viewer { login } repository(owner: "acme", name: "app") { pullRequest(number: 1) { author { __typename login } } } }`,
    );
    expect(answer).toEqual({
      viewer: { login: "wavetrain[bot]" },
      repository: { pullRequest: { author: { __typename: "Bot", login: "wavetrain" } } },
    });
  });

  it("does not know a private repository that the token does not cover", async () => {
    const small = await smallWorld();
    await addRepository(small.world, { owner: "acme", name: "secret" });
    const token = { repositories: ["app"] };
    const answer = await ask(small, `{ repository(owner: "acme", name: "secret") { id } }`, {
      token,
    });
    expect(answer).toMatchObject({
      data: { repository: null },
      errors: [
        {
          type: "NOT_FOUND",
          message: "Could not resolve to a Repository with the name 'acme/secret'.",
        },
      ],
    });
  });

  it("asks for the size of every page, not for a count, and refuses one above 100", async () => {
    const small = await smallWorld();
    const labels = async (size: string, fields: string) =>
      (
        await ask(
          small,
          `{ repository(owner: "acme", name: "app") { labels${size} { ${fields} } } }`,
        )
      ).errors;
    const nodes = "nodes { name }";
    expect(await labels("", nodes)).toMatchObject([{ type: "MISSING_PAGINATION_BOUNDARIES" }]);
    expect(await labels("", "totalCount")).toBeUndefined();
    expect(await labels("(first: 101)", nodes)).toMatchObject([{ type: "EXCESSIVE_PAGINATION" }]);
    expect(await labels("(first: 100)", nodes)).toBeUndefined();
  });

  it("finds issues and pull requests by qualifiers, and refuses what it does not know", async () => {
    const small = await smallWorld();
    const search = (query: string) =>
      ask(
        small,
        `{ search(query: ${JSON.stringify(query)}, type: ISSUE, first: 9) { issueCount nodes { ... on Issue { title } } } }`,
      );
    openIssue(small.world, small.app, { title: "Sought", body: "", actor: small.ada });
    const found = await search("repo:acme/app is:issue state:open author:ada");
    expect(found.data).toMatchObject({ search: { nodes: [{ title: "Sought" }] } });
    expect((await search("repo:acme/other is:issue")).data).toMatchObject({
      search: { issueCount: 0 },
    });
    expect((await search("size:large")).errors).toMatchObject([{ type: "UNPROCESSABLE" }]);
  });

  it("takes fields of one name and different types in fragments of different types", () => {
    const document = `{ nodes(ids: []) { ... on Issue { state } ... on PullRequest { state } } }`;
    expect(() => requestDocument(document)).not.toThrow();
  });

  it("refuses a query that could answer more than half a million nodes", async () => {
    const small = await smallWorld();
    const query = `{ repository(owner: "acme", name: "app") { issues(first: 100) { nodes {
      comments(first: 100) { nodes { issue { labels(first: 100) { totalCount } } } } } } } }`;
    expect((await ask(small, query)).errors).toMatchObject([{ type: "MAX_NODE_LIMIT_EXCEEDED" }]);
  });

  it("answers with an error of type RATE_LIMITED once the hour's points are spent", async () => {
    const small = await smallWorld();
    // 1 + 100 + 100 * 40 requests: 41 points, within the limit of nodes.
    const query = `{ repository(owner: "acme", name: "app") { issues(first: 100) { nodes {
      comments(first: 40) { nodes { issue { labels(first: 1) { totalCount } } } } } } } rateLimit { cost remaining } }`;
    const first = await data(small, query);
    expect(first).toMatchObject({ rateLimit: { cost: 41, remaining: 4959 } });
    for (let time = 2; time <= 121; time += 1) await ask(small, query);
    const refused = await ask(small, query);
    expect(refused.data).toBeUndefined();
    expect(refused.errors).toMatchObject([{ type: "RATE_LIMITED" }]);
    expect((await ask(small, "{ viewer { login } }")).errors).toBeUndefined();
  });
});

describe("node and nodes", () => {
  it("find by global id what webhooks name", async () => {
    const small = await smallWorld();
    const { issue, item } = card(small, "Task");
    const answer = await data(
      small,
      `query($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Issue { number } } }`,
      { variables: { ids: [issue.nodeId, item.nodeId, small.app.nodeId] } },
    );
    expect(answer).toEqual({
      nodes: [
        { __typename: "Issue", id: issue.nodeId, number: 1 },
        { __typename: "ProjectV2Item", id: item.nodeId },
        { __typename: "Repository", id: small.app.nodeId },
      ],
    });
  });

  it("answer null and an error with the element's path for what is hidden or unknown", async () => {
    const small = await smallWorld();
    const secret = await addRepository(small.world, { owner: "acme", name: "secret" });
    const hidden = openIssue(small.world, secret, { title: "Hidden", actor: small.ada });
    const ids = [small.app.nodeId, hidden.nodeId, "I_nothing"];
    const answer = await ask(small, `query($ids: [ID!]!) { nodes(ids: $ids) { id } }`, {
      variables: { ids },
      token: { repositories: ["app"] },
    });
    expect(answer).toMatchObject({
      data: { nodes: [{ id: small.app.nodeId }, null, null] },
      errors: [
        { type: "NOT_FOUND", path: ["nodes", 1] },
        { type: "NOT_FOUND", path: ["nodes", 2] },
      ],
    });
  });

  it("find commits by the ids that they were given with", async () => {
    const small = await smallWorld();
    const read = await data(
      small,
      `{ repository(owner: "acme", name: "app") { defaultBranchRef { id target { id oid } } } }`,
    );
    const { defaultBranchRef: ref } = (
      read as {
        repository: { defaultBranchRef: { id: string; target: { id: string; oid: string } } };
      }
    ).repository;
    const answer = await data(
      small,
      `query($ids: [ID!]!) { nodes(ids: $ids) { ... on Commit { oid } ... on Ref { name } } }`,
      { variables: { ids: [ref.target.id, ref.id] } },
    );
    expect(answer).toEqual({ nodes: [{ oid: ref.target.oid }, { name: "main" }] });
  });
});
