import { describe, expect, it } from "vitest";
import { addRepository } from "../../../local-github/actions/add-repository.ts";
import { openIssue } from "../../../local-github/actions/threads/issues.ts";
import { addLabels } from "../../../local-github/actions/threads/labels.ts";
import {
  addItem,
  archiveItem,
  setItemStatus,
} from "../../../local-github/actions/threads/projects.ts";
import { addBlockedBy, addSubIssue } from "../../../local-github/actions/threads/relations.ts";
import { ask, card, data, option, pullRequest, smallWorld } from "./small-world.ts";

const BOARD = `query Board($org: String!, $number: Int!, $after: String, $size: Int = 100) {
  organization(login: $org) { projectV2(number: $number) {
    title closed
    field(name: "Status") { ... on ProjectV2SingleSelectField { name options { name } } }
    items(first: $size, after: $after, orderBy: {field: POSITION, direction: ASC}) {
      totalCount pageInfo { hasNextPage endCursor }
      nodes { type isArchived
        status: fieldValueByName(name: "Status") {
          ... on ProjectV2ItemFieldSingleSelectValue { optionId name }
        }
        content { __typename
          ... on Issue { number title body issueState: state url repository { nameWithOwner defaultBranchRef { name } }
            issueType { name } parent { number } labels(first: 20) { nodes { name } }
            assignees(first: 5) { nodes { login } }
            blockedBy(first: 20) { nodes { number issueState: state } }
            issueDependenciesSummary { blockedBy blocking } subIssuesSummary { total completed }
            closedByPullRequestsReferences(first: 5, includeClosedPrs: true) { nodes { number headRefName } } }
          ... on PullRequest { number prState: state }
          ... on DraftIssue { title } } } } } }
  rateLimit { cost remaining limit used nodeCount }
}`;

const VARIABLES = { org: "acme", number: 1 };

function itemsOf(answer: unknown): readonly Record<string, unknown>[] {
  const read = answer as {
    organization: { projectV2: { items: { nodes: Record<string, unknown>[] } } };
  };
  return read.organization.projectV2.items.nodes;
}

describe("organization.projectV2", () => {
  it("answers a whole board in one query", async () => {
    const small = await smallWorld();
    const first = card(small, "First");
    const second = card(small, "Second");
    const parent = openIssue(small.world, small.app, { title: "Phase", actor: small.ada });
    addSubIssue(small.world, parent, { subIssue: second.issue, actor: small.ada });
    addBlockedBy(small.world, second.issue, { blocking: first.issue, actor: small.ada });
    addLabels(small.world, second.issue, { names: ["parallel-safe"], actor: small.ada });
    setItemStatus(small.world, second.item, {
      optionId: option(small.board, "Ready").id,
      actor: small.ada,
    });
    await pullRequest(small, "second", "Closes #2");
    const items = itemsOf(await data(small, BOARD, { variables: VARIABLES }));
    expect(items).toHaveLength(2);
    expect(items[1]).toEqual({
      type: "ISSUE",
      isArchived: false,
      status: { optionId: option(small.board, "Ready").id, name: "Ready" },
      content: {
        __typename: "Issue",
        number: 2,
        title: "Second",
        body: "Second, please",
        issueState: "OPEN",
        url: "http://127.0.0.1:4000/acme/app/issues/2",
        repository: { nameWithOwner: "acme/app", defaultBranchRef: { name: "main" } },
        issueType: null,
        parent: { number: 3 },
        labels: { nodes: [{ name: "parallel-safe" }] },
        assignees: { nodes: [] },
        blockedBy: { nodes: [{ number: 1, issueState: "OPEN" }] },
        issueDependenciesSummary: { blockedBy: 1, blocking: 0 },
        subIssuesSummary: { total: 0, completed: 0 },
        closedByPullRequestsReferences: { nodes: [{ number: 4, headRefName: "second" }] },
      },
    });
    expect(items[0]).toMatchObject({ status: null });
  });

  it("costs what GitHub's formula says", async () => {
    const small = await smallWorld();
    const answer = await data(small, BOARD, { variables: VARIABLES });
    expect(answer).toMatchObject({
      rateLimit: { cost: 4, nodeCount: 5100, limit: 5000, used: 4, remaining: 4996 },
    });
  });

  it("gives the rest of a long board page by page, in order", async () => {
    const small = await smallWorld();
    for (let index = 1; index <= 5; index += 1) card(small, `Card ${index}`);
    const numbers: unknown[] = [];
    let after: string | null = null;
    for (let page = 0; page < 3; page += 1) {
      const answer = await data(small, BOARD, { variables: { ...VARIABLES, size: 2, after } });
      const read = answer as {
        organization: { projectV2: { items: { pageInfo: { endCursor: string } } } };
      };
      after = read.organization.projectV2.items.pageInfo.endCursor;
      numbers.push(
        ...itemsOf(answer).map((item) => (item["content"] as { number: number }).number),
      );
    }
    expect(numbers).toEqual([1, 2, 3, 4, 5]);
  });

  it("leaves archived cards out", async () => {
    const small = await smallWorld();
    const { item } = card(small, "Old");
    archiveItem(small.world, item, { archived: true, actor: small.ada });
    expect(itemsOf(await data(small, BOARD, { variables: VARIABLES }))).toEqual([]);
  });

  it("filters by column when asked", async () => {
    const small = await smallWorld();
    const { item } = card(small, "Now");
    card(small, "Later");
    setItemStatus(small.world, item, {
      optionId: option(small.board, "In progress").id,
      actor: small.ada,
    });
    const answer = await data(
      small,
      `{ organization(login: "acme") { projectV2(number: 1) {
        items(first: 5, query: "status:\\"In progress\\" is:open") { nodes { content { ... on Issue { title } } } } } } }`,
    );
    expect(itemsOf(answer)).toEqual([{ content: { title: "Now" } }]);
  });

  it("redacts cards of repositories that the token does not cover", async () => {
    const small = await smallWorld();
    const secret = await addRepository(small.world, { owner: "acme", name: "secret" });
    const issue = openIssue(small.world, secret, { title: "Hidden", actor: small.ada });
    addItem(small.world, small.board, { content: issue, actor: small.ada });
    const token = { repositories: ["app"] };
    const [item] = itemsOf(await data(small, BOARD, { variables: VARIABLES, token }));
    expect(item).toEqual({ type: "REDACTED", isArchived: false, status: null, content: null });
  });

  it("is null, without an error, for a token that has no access to projects", async () => {
    const small = await smallWorld();
    const token = { permissions: { issues: "read" } } as const;
    const answer = await data(small, BOARD, { variables: VARIABLES, token });
    expect(answer).toMatchObject({ organization: { projectV2: null } });
  });

  it("is null while the knob says so", async () => {
    const small = await smallWorld();
    const faults = { nullBoard: true };
    const answer = await data(small, BOARD, { variables: VARIABLES, faults });
    expect(answer).toMatchObject({ organization: { projectV2: null } });
  });

  it("is an error of type NOT_FOUND when there is no such number", async () => {
    const small = await smallWorld();
    const answer = await ask(small, BOARD, { variables: { ...VARIABLES, number: 9 } });
    expect(answer).toMatchObject({
      data: { organization: { projectV2: null } },
      errors: [
        {
          type: "NOT_FOUND",
          path: ["organization", "projectV2"],
          message: "Could not resolve to a ProjectV2 with the number 9.",
        },
      ],
    });
  });
});

describe("a cursor that leads nowhere", () => {
  it("is an error of type INVALID_CURSOR_ARGUMENTS", async () => {
    const small = await smallWorld();
    const document = `query ($number: Int!) {
      organization(login: "acme") { projectV2(number: $number) { items(first: 1, after: "x") { nodes { id } } } }
    }`;
    const answer = await ask(small, document, { variables: { number: 1 } });
    expect(answer).toMatchObject({ errors: [{ type: "INVALID_CURSOR_ARGUMENTS" }] });
  });
});

describe("a query that is too heavy", () => {
  it("ends with what was found by then and RESOURCE_LIMITS_EXCEEDED", async () => {
    const small = await smallWorld();
    const faults = { heaviestQuery: 1 };
    const answer = await ask(small, BOARD, { variables: VARIABLES, faults });
    expect(answer).toMatchObject({
      data: { organization: null },
      errors: [{ type: "RESOURCE_LIMITS_EXCEEDED" }],
    });
  });
});
