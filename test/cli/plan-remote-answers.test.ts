import nock from "nock";
import { afterEach, describe, expect, it, vi } from "vitest";
import { graphqlViolations } from "../support/schemas/graphql-validator.ts";
import { runPlan } from "./plan/run-plan.ts";

const REPOSITORY = { full_name: "mona/shop", default_branch: "main" };

function github(): nock.Scope {
  nock.disableNetConnect();
  return nock("https://api.github.com").matchHeader("authorization", "token secret-1");
}

describe("wavetrain plan --repo, held against answers of api.github.com", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    nock.cleanAll();
    nock.enableNetConnect();
  });

  const answers: readonly [string, number, Record<string, string>, string][] = [
    [
      "a refused token",
      401,
      {},
      "cannot read mona/shop: GitHub does not accept the token (401): it is wrong, expired or revoked",
    ],
    [
      "a repository that is not there",
      404,
      {},
      "cannot read mona/shop: there is no such repository, or the token may not see it",
    ],
    [
      "a used-up budget",
      403,
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000000" },
      "cannot read mona/shop: the token's API budget is used up until 22:13 UTC",
    ],
    [
      "a secondary limit",
      429,
      { "retry-after": "30" },
      "cannot read mona/shop: the token's API budget is used up: try again in 30 s",
    ],
    ["a broken GitHub", 502, {}, "cannot read mona/shop: GitHub answered 502"],
  ];
  it.each(answers)("says in one line what %s means", async (...answer) => {
    const [, status, headers, message] = answer;
    vi.stubEnv("GITHUB_TOKEN", "secret-1\n");
    github().get("/repos/mona/shop").reply(status, { message: "no" }, headers);
    expect(await runPlan(["--repo", "mona/shop"])).toEqual({
      code: 2,
      out: "",
      err: `error: ${message}\n`,
    });
  });

  it("does not call GitHub without a token", async () => {
    vi.stubEnv("NO_TOKEN", "");
    nock.disableNetConnect();
    const { code, err } = await runPlan(["--repo", "mona/shop", "--token-env", "NO_TOKEN"]);
    expect(code).toBe(2);
    expect(err).toContain("NO_TOKEN is not set");
  });

  it("asks for the project of a person where the owner is one", async () => {
    vi.stubEnv("GITHUB_TOKEN", "secret-1");
    const asked: { query: string; variables: Record<string, unknown> }[] = [];
    github()
      .get("/repos/mona/shop")
      .reply(200, { ...REPOSITORY, owner: { login: "mona", type: "User" } })
      .get("/repos/mona/shop/contents/.github%2Fwavetrain.yml")
      .reply(404, { message: "Not Found" })
      .post("/graphql", (body: (typeof asked)[number]) => asked.push(body) > 0)
      .reply(200, { data: { account: { projectV2: personsProject() } } });
    const { code, out, err } = await runPlan(["--repo", "mona/shop", "--project", "3", "--json"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toMatchObject({ waves: [["#12"]] });
    expect(asked[0]?.query).toContain("account: user(login: $owner)");
    const { query: document, variables } = asked[0]!;
    expect(graphqlViolations({ document, variables })).toEqual([]);
  });

  it.each([
    ["RATE_LIMITED", {}, "cannot read the board: the token's API budget is used up"],
    ["INSUFFICIENT_SCOPES", {}, "cannot read the board: the token lacks a scope"],
    [
      "NOT_FOUND",
      { path: ["account", "projectV2"] },
      "project 3 of mona cannot be read: it does not exist or the token",
    ],
  ])("understands GraphQL's %s", async (type, where, message) => {
    vi.stubEnv("GITHUB_TOKEN", "secret-1");
    github()
      .get("/repos/mona/shop")
      .reply(200, { ...REPOSITORY, owner: { login: "mona", type: "User" } })
      .get("/repos/mona/shop/contents/.github%2Fwavetrain.yml")
      .reply(404, { message: "Not Found" })
      .post("/graphql")
      .reply(200, { data: null, errors: [{ type, message: "no", ...where }] });
    const { code, err } = await runPlan(["--repo", "mona/shop", "--project", "3"]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it.each([
    [["--repo", "shop"], "not an owner/name: shop"],
    [["--repo", "mona/shop", "--tasks", "t.yml"], "cannot be used with"],
    [["--repo", "mona/shop", "--api-url", "ftp://x"], "is not an http or https address"],
    [[], "give --tasks FILE or --repo OWNER/NAME"],
  ])("refuses %j", async (args, message) => {
    vi.stubEnv("GITHUB_TOKEN", "secret-1");
    const { code, err } = await runPlan([...args]);
    expect(code).toBeGreaterThan(0);
    expect(err).toContain(message);
  });
});

function personsProject() {
  const none = { nodes: [] };
  const issue = {
    id: "I_1",
    number: 12,
    title: "One",
    body: "### Files\n\n- a.ts\n",
    parent: null,
  };
  const repository = { nameWithOwner: "mona/shop" };
  const labels = { nodes: [{ name: "parallel-safe" }] };
  return {
    id: "P_1",
    fields: { nodes: [{ id: "F_1", name: "Status", options: [{ id: "o1", name: "Ready" }] }] },
    items: {
      pageInfo: { hasNextPage: false, endCursor: null },
      nodes: [
        {
          id: "C_1",
          isArchived: false,
          updatedAt: "2026-01-01T00:00:00Z",
          status: { name: "Ready", updatedAt: "2026-01-01T00:00:00Z" },
          content: {
            __typename: "Issue",
            ...issue,
            repository,
            labels,
            blockedBy: none,
            state: "OPEN",
            stateReason: null,
          },
        },
      ],
    },
  };
}
