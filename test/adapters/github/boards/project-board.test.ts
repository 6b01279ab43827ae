import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aConfig } from "../../../support/a-config.ts";
import { NOW, REPO, shaOf } from "../../../support/builders.ts";
import {
  ERROR_ANSWERS,
  failureOf,
  installed,
  leaveNetwork,
  nockedGitHub,
  refusal,
} from "../nocked-github.ts";
import type { NockedGitHub } from "../nocked-github.ts";

const CONFIG = aConfig();
const FIELD = {
  id: "field-1",
  name: "Status",
  dataType: "SINGLE_SELECT",
  options: ["Ready", "In progress", "In review", "Done"].map((name) => ({
    id: `id of ${name}`,
    name,
  })),
};
const MOVED_AT = new Date(NOW).toISOString();

function issueNode(number: number, members: object = {}): object {
  return {
    __typename: "Issue",
    id: `issue-${number}`,
    number,
    title: "T",
    body: "B",
    state: "OPEN",
    stateReason: null,
    repository: { nameWithOwner: REPO },
    labels: { nodes: [] },
    blockedBy: { nodes: [] },
    parent: null,
    ...members,
  };
}

function item(content: object | null, members: object = {}): object {
  return {
    id: "card-1",
    isArchived: false,
    updatedAt: MOVED_AT,
    content,
    status: { name: "Ready", updatedAt: MOVED_AT },
    ...members,
  };
}

function pullNode(members: object = {}): object {
  return {
    id: "pull-11",
    number: 11,
    title: "T",
    headRefName: "wavetrain/1",
    headRefOid: shaOf(7),
    baseRefName: "main",
    isDraft: false,
    latestOpinionatedReviews: { nodes: [] },
    ...members,
  };
}

interface Page {
  readonly items?: readonly (object | null)[];
  readonly pulls?: readonly object[];
  readonly next?: string;
  readonly field?: object | null;
}

function page({ items = [], pulls = [], next, field = FIELD }: Page = {}): object {
  const pageInfo = { hasNextPage: next !== undefined, endCursor: next ?? null };
  const projectV2 = {
    id: "project-1",
    fields: { nodes: [field] },
    items: { pageInfo, nodes: items },
  };
  const atEnd = { hasNextPage: false, endCursor: null };
  const pullRequests = { pageInfo: atEnd, nodes: pulls };
  const data = { account: { projectV2 }, repository: { pullRequests } };
  return { data };
}

function index(...pages: readonly (readonly object[])[]): object {
  const projectV2: Record<string, unknown> = { id: "project-1", fields: { nodes: [FIELD] } };
  pages.forEach((nodes, at) => {
    const hasNextPage = at + 1 < pages.length;
    const pageInfo = { hasNextPage, endCursor: hasNextPage ? "cursor" : null };
    projectV2[`page${at}`] = { nodes, pageInfo };
  });
  return { data: { account: { projectV2 } } };
}

let on: NockedGitHub;
beforeEach(() => {
  on = nockedGitHub();
  installed(on.api);
});
afterEach(leaveNetwork);

function answer(body: object): void {
  on.api.post("/graphql").reply(200, body);
}

async function readCards(...items: readonly (object | null)[]) {
  answer(page({ items }));
  return (await on.github.readRepo(REPO, CONFIG)).board.cards;
}

async function readPull(...reviews: readonly object[]) {
  const pull = pullNode({ latestOpinionatedReviews: { nodes: reviews } });
  answer(page({ pulls: [pull] }));
  return (await on.github.readRepo(REPO, CONFIG)).pulls[0];
}

describe("readRepo", () => {
  it("reads every open pull request, page by page", async () => {
    const numbers = Array.from({ length: 250 }, (_, at) => at + 1);
    const pages = [0, 100, 200].map((from) => {
      const next = from + 100 < numbers.length;
      const nodes = numbers.slice(from, from + 100).map((number) => pullNode({ number }));
      return { nodes, pageInfo: { hasNextPage: next, endCursor: next ? `p${from}` : null } };
    });
    const [first, ...more] = pages.map((pullRequests) => ({ repository: { pullRequests } }));
    const { data } = page() as { data: object };
    answer({ data: { ...data, ...first } });
    const after: unknown[] = [];
    for (const rest of more) {
      on.api
        .post("/graphql", (body: { variables: { pullsAfter?: unknown } }) => {
          after.push(body.variables.pullsAfter);
          return true;
        })
        .reply(200, { data: rest });
    }
    const { pulls } = await on.github.readRepo(REPO, CONFIG);
    expect(pulls.map(({ number }) => number)).toEqual(numbers);
    expect(after).toEqual(["p0", "p100"]);
  });

  it.each(ERROR_ANSWERS)(
    "takes $status $headers for $code",
    async ({ code, retryable, ...reply }) => {
      on.api.post("/graphql").reply(reply.status, refusal(reply), reply.headers);
      expect(await failureOf(on.github.readRepo(REPO, CONFIG))).toMatchObject({ code, retryable });
    },
  );

  it("is tried again after a network error", async () => {
    on.api.post("/graphql").replyWithError(new Error("socket hang up"));
    const failure = await failureOf(on.github.readRepo(REPO, CONFIG));
    expect(failure).toMatchObject({ code: "github-unavailable", retryable: true });
  });

  it.each([
    { error: { type: "RATE_LIMITED" }, code: "github-rate-limited", retryable: true },
    { error: { type: "RATE_LIMIT" }, code: "github-rate-limited", retryable: true },
    { error: { type: "FORBIDDEN" }, code: "github-refused", retryable: false },
    { error: { type: "NOT_FOUND" }, code: "github-refused", retryable: false },
    { error: { type: "INSUFFICIENT_SCOPES" }, code: "github-refused", retryable: false },
    { error: { type: "MAX_NODE_LIMIT_EXCEEDED" }, code: "github-refused", retryable: false },
    { error: { extensions: { code: "undefinedField" } }, code: "github-refused", retryable: false },
    {
      error: { path: ["repository"], type: "NOT_FOUND" },
      code: "github-refused",
      retryable: false,
    },
    { error: {}, code: "github-unavailable", retryable: true },
  ])("takes 200 with the error $error for $code", async ({ error, code, retryable }) => {
    answer({ data: null, errors: [{ message: "no", ...error }] });
    expect(await failureOf(on.github.readRepo(REPO, CONFIG))).toMatchObject({ code, retryable });
  });

  it.each([
    ["no organization", { data: { account: null } }],
    ["no project", { data: { account: { projectV2: null } } }],
    [
      "an owner that is a user",
      {
        data: { account: null },
        errors: [{ type: "NOT_FOUND", path: ["account"], message: "no" }],
      },
    ],
    [
      "a project that the app may not see",
      {
        data: { account: { projectV2: null } },
        errors: [{ type: "FORBIDDEN", path: ["account", "projectV2"], message: "no" }],
      },
    ],
    ["no Status field", page({ field: null })],
    ["a Status field that is not a single-select", page({ field: {} })],
  ])("cannot read a board with %s, and never takes it for an empty one", async (_, body) => {
    answer(body);
    expect(await failureOf(on.github.readRepo(REPO, CONFIG))).toMatchObject({
      code: "board-unreadable",
      retryable: false,
    });
  });

  it("reads every page of the board, and the pull requests once", async () => {
    const asked: unknown[] = [];
    const note = (body: Record<string, unknown>) => asked.push(body.variables) > 0;
    on.api
      .post("/graphql", note)
      .reply(200, page({ items: [item(issueNode(1))], pulls: [pullNode()], next: "cursor" }))
      .post("/graphql", note)
      .reply(200, page({ items: [item(issueNode(2), { id: "card-2" })] }))
      // All pages together show that no card came or went between them.
      .post("/graphql", note)
      .reply(200, index([item(issueNode(1))], [item(issueNode(2), { id: "card-2" })]));
    const { board, pulls, readAt } = await on.github.readRepo(REPO, CONFIG);
    expect(board.cards.map(({ issue }) => issue.number)).toEqual([1, 2]);
    expect(pulls.map(({ number }) => number)).toEqual([11]);
    expect(asked).toMatchObject([
      { owner: "octo", name: "app", project: 1, field: "Status", after: null, withPulls: true },
      { after: "cursor", withPulls: false },
      { after0: null, after1: "cursor", withPulls: false },
    ]);
    expect(readAt).toBe(NOW);
  });

  it("fails as a whole when the second page fails", async () => {
    answer(page({ items: [item(issueNode(1))], next: "cursor" }));
    on.api.post("/graphql").reply(502, refusal({ status: 502 }));
    expect(await failureOf(on.github.readRepo(REPO, CONFIG))).toMatchObject({ retryable: true });
  });

  it("says which roles have no column", async () => {
    answer(page());
    const { board } = await on.github.readRepo(REPO, CONFIG);
    expect(board.missingRoles).toEqual(["queued", "blocked"]);
  });
});

describe("a card", () => {
  it("is an issue of this repository with its column's role", async () => {
    const [card] = await readCards(item(issueNode(1)));
    expect(card).toMatchObject({ id: "card-1", role: "ready", movedAt: NOW, issue: { number: 1 } });
  });

  it.each<[string, object | null]>([
    ["nothing", null],
    ["content that the app may not see", item(null)],
    ["a draft", item({ __typename: "DraftIssue" })],
    ["a pull request", item({ __typename: "PullRequest" })],
    ["an archived issue", item(issueNode(1), { isArchived: true })],
    [
      "an issue of another repository",
      item(issueNode(1, { repository: { nameWithOwner: "octo/other" } })),
    ],
  ])("is not %s", async (_, node) => {
    expect(await readCards(node)).toEqual([]);
  });

  it.each<[string, object | null]>([
    ["in a column of another name", { name: "Icebox", updatedAt: MOVED_AT }],
    ["in no column", null],
    ["whose column is empty", {}],
  ])("has no role %s", async (_, status) => {
    const [card] = await readCards(item(issueNode(1), { status }));
    expect(card).toMatchObject({ role: undefined, movedAt: NOW });
  });

  it.each([
    { state: "OPEN", stateReason: null, read: "open" },
    { state: "OPEN", stateReason: "REOPENED", read: "open" },
    { state: "CLOSED", stateReason: "COMPLETED", read: "completed" },
    { state: "CLOSED", stateReason: null, read: "completed" },
    { state: "CLOSED", stateReason: "NOT_PLANNED", read: "not-planned" },
    { state: "CLOSED", stateReason: "DUPLICATE", read: "not-planned" },
  ])("whose issue is $state $stateReason is $read", async ({ state, stateReason, read }) => {
    const [card] = await readCards(item(issueNode(1, { state, stateReason })));
    expect(card?.issue.state).toBe(read);
  });

  it("has labels, blockers and a parent, whatever of them the app may see", async () => {
    const blocker = {
      number: 7,
      state: "CLOSED",
      stateReason: null,
      repository: { nameWithOwner: "octo/other" },
    };
    const parent = {
      number: 9,
      repository: { nameWithOwner: REPO },
      labels: null,
      blockedBy: { nodes: [blocker] },
    };
    const [card] = await readCards(
      item(
        issueNode(1, {
          labels: { nodes: [{ name: "x" }, null] },
          blockedBy: { nodes: null },
          parent,
        }),
      ),
    );
    expect(card?.issue).toMatchObject({
      labels: ["x"],
      blockedBy: [],
      parent: {
        repo: REPO,
        number: 9,
        labels: [],
        blockedBy: [{ repo: "octo/other", number: 7, state: "completed" }],
      },
    });
  });
});

describe("a pull request", () => {
  const review = (state: string, login: string | null, commit: string | null = shaOf(7)) => ({
    state,
    author: login === null ? null : { __typename: "User", login },
    commit: commit === null ? null : { oid: commit },
  });

  it.each([
    { said: "nothing", reviews: [], read: "none", by: [] },
    { said: "yes", reviews: [review("APPROVED", "ada")], read: "approved", by: ["ada"] },
    {
      said: "yes to an older head",
      reviews: [review("APPROVED", "ada", shaOf(6))],
      read: "none",
      by: [],
    },
    {
      said: "yes to a commit that is gone",
      reviews: [review("APPROVED", "ada", null)],
      read: "none",
      by: [],
    },
    {
      said: "yes and no",
      reviews: [review("APPROVED", "ada"), review("CHANGES_REQUESTED", "bob", shaOf(6))],
      read: "changes-requested",
      by: [],
    },
    {
      said: "yes by someone who left",
      reviews: [review("APPROVED", null)],
      read: "approved",
      by: [],
    },
    { said: "yes, dismissed", reviews: [review("DISMISSED", "ada")], read: "none", by: [] },
  ])("to which reviewers said $said is $read", async ({ reviews, read, by }) => {
    expect(await readPull(...reviews)).toMatchObject({ review: read, approvedBy: by });
  });
});

describe("updateCards", () => {
  const moves = [
    { cardId: "card-1", role: "running" },
    { cardId: "card-2", role: "review" },
  ] as const;

  it("moves all cards with one request", async () => {
    answer(page());
    await on.github.readRepo(REPO, CONFIG);
    let variables: unknown;
    on.api
      .post(
        "/graphql",
        (body: Record<string, unknown>) => (variables = body.variables) !== undefined,
      )
      .reply(200, { data: {} });
    await on.github.updateCards(REPO, CONFIG, { moves, notes: [] });
    expect(Object.values(variables as object).toSorted()).toEqual([
      "card-1",
      "card-2",
      "field-1",
      "id of In progress",
      "id of In review",
      "project-1",
    ]);
  });

  it("reads the board first when it does not know its columns", async () => {
    answer(page());
    answer({ data: {} });
    await on.github.updateCards(REPO, CONFIG, { moves, notes: [] });
  });

  it("asks nothing when the board has no column for any of them", async () => {
    answer(page());
    await on.github.updateCards(REPO, CONFIG, {
      moves: [{ cardId: "card-1", role: "queued" }],
      notes: [],
    });
  });

  it.each([
    { type: "NOT_FOUND", code: "github-refused" },
    { type: "FORBIDDEN", code: "github-refused" },
    { type: "VALIDATION", code: "github-refused" },
    { type: "RATE_LIMITED", code: "github-rate-limited" },
  ])("takes 200 with the error $type for $code", async ({ type, code }) => {
    answer(page());
    answer({ data: { move0: null }, errors: [{ type, message: "no", path: ["move0"] }] });
    expect(
      await failureOf(on.github.updateCards(REPO, CONFIG, { moves, notes: [] })),
    ).toMatchObject({ code });
  });
});
