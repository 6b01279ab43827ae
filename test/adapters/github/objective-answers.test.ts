import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { taskId } from "../../../src/domain/ids.ts";
import { aConfig } from "../../support/a-config.ts";
import { REPO } from "../../support/builders.ts";
import { GRAPHQL, LIST, describeErrorAnswers, describeGraphqlErrors } from "./describe-errors.ts";
import type { Call } from "./describe-errors.ts";
import { failureOf, installed, leaveNetwork, nockedGitHub } from "./nocked-github.ts";
import type { NockedGitHub } from "./nocked-github.ts";

const PROJECT = aConfig();
const ISSUE = { id: 21, nodeId: "I2", number: 2 };
const AT = `/repos/${REPO}/issues`;
const NEW_ISSUE = { title: "T", body: "B", labels: ["size:m"] };
const PROJECT_NODE = {
  id: "PVT",
  field: { id: "F", options: [{ id: "o", name: PROJECT.objectives.column }] },
};

const RELATIONS: readonly Call[] = [
  {
    name: "addSubIssue",
    method: "POST",
    path: `${AT}/1/sub_issues`,
    except: [422],
    make: ({ github }) => github.addSubIssue(REPO, 1, ISSUE),
  },
  {
    name: "addBlocker",
    method: "POST",
    except: [422],
    path: `${AT}/1/dependencies/blocked_by`,
    make: ({ github }) => github.addBlocker(REPO, 1, ISSUE),
  },
];

const REST_CALLS: readonly Call[] = [
  ...RELATIONS,
  {
    name: "createIssue",
    method: "POST",
    path: AT,
    make: ({ github }) => github.createIssue(REPO, NEW_ISSUE),
  },
  {
    name: "findMade",
    method: "GET",
    path: /\/issues\?/,
    except: LIST,
    before: (api) => api.get("/app").reply(200, { slug: "wavetrain" }),
    make: ({ github }) => github.findMade(REPO, undefined),
  },
  {
    name: "the name of the app",
    method: "GET",
    path: "/app",
    asApp: true,
    make: ({ github }) => github.findMade(REPO, undefined),
  },
  {
    name: "blockersOf",
    method: "GET",
    path: /\/1\/dependencies\/blocked_by/,
    except: LIST,
    make: ({ github }) => github.blockersOf(REPO, 1),
  },
];

const GRAPHQL_CALLS: readonly Call[] = [
  {
    ...GRAPHQL,
    name: "readObjectives",
    make: ({ github }) => github.readObjectives(REPO, "objective"),
  },
  {
    ...GRAPHQL,
    name: "subIssues",
    make: ({ github }) => github.subIssues(REPO, [taskId("octo/app#2")]),
  },
  {
    ...GRAPHQL,
    name: "refreshPulls",
    make: ({ github }) => github.refreshPulls(REPO, { pulls: [11], branches: ["wavetrain/1"] }),
  },
  {
    ...GRAPHQL,
    name: "the project of addCards",
    make: ({ github }) => github.addCards(REPO, PROJECT, [ISSUE]),
  },
  {
    ...GRAPHQL,
    name: "addCards",
    before: (api) =>
      api.post("/graphql").reply(200, { data: { account: { projectV2: PROJECT_NODE } } }),
    make: ({ github }) => github.addCards(REPO, PROJECT, [ISSUE]),
  },
];

describeErrorAnswers([...REST_CALLS, ...GRAPHQL_CALLS]);
describeGraphqlErrors(GRAPHQL_CALLS);

let on: NockedGitHub;
beforeEach(() => {
  on = nockedGitHub();
});
afterEach(leaveNetwork);

describe.each(RELATIONS)("$name, refused with 422", ({ path, make }) => {
  const list = new RegExp(`${String(path)}\\?per_page=100`);
  const there = { id: ISSUE.id, repository_url: `https://api.github.test/repos/${REPO}` };

  it.each([
    { found: [there], ends: undefined },
    { found: [], ends: { code: "github-refused", retryable: false } },
  ])("ends in $ends when $found is there already", async ({ found, ends }) => {
    installed(on.api).post(path).reply(422, { message: "already" }).get(list).reply(200, found);
    const made = make(on);
    if (ends === undefined) await expect(made).resolves.toBeUndefined();
    else expect(await failureOf(made)).toMatchObject(ends);
  });

  it("is tried again when GitHub does not tell what is there", async () => {
    installed(on.api).post(path).reply(422, { message: "already" }).get(list).reply(503);
    expect(await failureOf(make(on))).toMatchObject({ code: "github-unavailable" });
  });
});

describe("a project or repository that is null without an error", () => {
  it.each<[string, Call["make"], { readonly data: object; readonly code: string }]>([
    [
      "addCards",
      ({ github }) => github.addCards(REPO, PROJECT, [ISSUE]),
      { data: { account: null }, code: "board-unreadable" },
    ],
    [
      "readObjectives",
      ({ github }) => github.readObjectives(REPO, "objective"),
      { data: { repository: null }, code: "github-refused" },
    ],
    [
      "refreshPulls",
      ({ github }) => github.refreshPulls(REPO, { pulls: [11], branches: [] }),
      { data: { repository: null }, code: "github-refused" },
    ],
  ])("is never an empty answer of %s", async (_, make, { data, code }) => {
    installed(on.api).post("/graphql").reply(200, { data });
    expect(await failureOf(make(on))).toMatchObject({ code, retryable: false });
  });
});
