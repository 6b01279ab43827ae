import type nock from "nock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDeliveries } from "../../../src/adapters/github/inspection/hook-deliveries.ts";
import { taskId } from "../../../src/domain/ids.ts";
import { markOwnPart } from "../../../src/domain/markers.ts";
import type { CheckReport } from "../../../src/ports/github.ts";
import type { MergeLock } from "../../../src/ports/store.ts";
import { aConfig } from "../../support/a-config.ts";
import { REPO, shaOf } from "../../support/builders.ts";
import { GRAPHQL, LIST, describeErrorAnswers, describeGraphqlErrors } from "./describe-errors.ts";
import type { Call } from "./describe-errors.ts";
import {
  EMPTY_PROJECT,
  ERROR_ANSWERS,
  failureOf,
  installed,
  leaveNetwork,
  nockedGitHub,
  refusal,
} from "./nocked-github.ts";
import type { NockedGitHub } from "./nocked-github.ts";

const LOCK = {} as MergeLock;
const LABELS = aConfig({ board: { kind: "labels" } });
const PROJECT = aConfig();
const CHECK: CheckReport = {
  repo: REPO,
  head: shaOf(7),
  name: "wavetrain",
  title: "T",
  summary: "S",
  status: "success",
};
const PULL = { repo: REPO, branch: "wavetrain/1", base: "main", title: "T", body: "B" };
const MOVE = { moves: [{ cardId: "card-1", role: "ready" }], notes: [] } as const;
const ATTEMPT = { id: "4", guid: "g", event: "push", answered: false };
const AT = `/repos/${REPO}`;

const REST_CALLS: readonly Call[] = [
  {
    name: "branchHead",
    method: "GET",
    path: `${AT}/branches/main`,
    make: ({ github }) => github.branchHead(REPO, "main"),
  },
  {
    name: "checksOf",
    method: "GET",
    path: /\/check-runs/,
    except: LIST,
    make: ({ github }) => github.checksOf(REPO, shaOf(7)),
  },
  {
    name: "the statuses of checksOf",
    method: "GET",
    path: /\/status/,
    before: (api) => api.get(/\/check-runs/).reply(200, { total_count: 0, check_runs: [] }),
    make: ({ github }) => github.checksOf(REPO, shaOf(7)),
  },
  {
    name: "failedChecks",
    method: "GET",
    path: /\/check-runs/,
    except: LIST,
    make: ({ github }) => github.failedChecks({ repo: REPO, head: shaOf(7), base: "main" }),
  },
  {
    name: "reviewsOf",
    method: "GET",
    path: /\/pulls\/11\/reviews/,
    except: LIST,
    make: ({ github }) => github.reviewsOf(REPO, 11),
  },
  {
    name: "the remarks of reviewsOf",
    method: "GET",
    path: /\/pulls\/11\/comments/,
    except: LIST,
    before: (api) => api.get(/\/pulls\/11\/reviews/).reply(200, []),
    make: ({ github }) => github.reviewsOf(REPO, 11),
  },
  {
    name: "branchRules",
    method: "GET",
    path: /\/rules\/branches\/main/,
    except: LIST,
    make: ({ github }) => github.branchRules(REPO, "main"),
  },
  {
    // Where the app may not look, there may be news.
    name: "isUnchanged",
    method: "GET",
    path: /\/issues/,
    except: [401, 403, 404],
    make: ({ github }) => github.isUnchanged(REPO, LABELS),
  },
  {
    name: "the items of isUnchanged",
    method: "GET",
    path: /\/orgs\/octo\/projectsV2/,
    except: [401, 403, 404],
    before: (api) => {
      api.post("/graphql").reply(200, EMPTY_PROJECT);
      return api.get(/\/issues/).reply(200, []);
    },
    make: async ({ github }) => {
      await github.readRepo(REPO, PROJECT);
      return github.isUnchanged(REPO, PROJECT);
    },
  },
  {
    name: "the text of describePullRequest",
    method: "GET",
    path: `${AT}/pulls/11`,
    make: ({ github }) => github.describePullRequest(REPO, 11, markOwnPart("B")),
  },
  {
    name: "describePullRequest",
    method: "PATCH",
    path: `${AT}/pulls/11`,
    before: (api) => api.get(`${AT}/pulls/11`).reply(200, { body: markOwnPart("A") }),
    make: ({ github }) => github.describePullRequest(REPO, 11, markOwnPart("B")),
  },
  {
    name: "taking labels off",
    method: "DELETE",
    path: /\/issues\/1\/labels/,
    except: [404, 410],
    make: ({ github }) => github.setLabels(REPO, 1, { add: [], remove: ["priority:low"] }),
  },
  {
    name: "the list of deliveries",
    method: "GET",
    path: /\/app\/hook\/deliveries/,
    asApp: true,
    make: ({ connection }) =>
      createDeliveries(connection).list({ seen: undefined, version: undefined }),
  },
  {
    name: "a delivery",
    method: "GET",
    path: "/app/hook/deliveries/4",
    asApp: true,
    except: [404],
    make: ({ connection }) => createDeliveries(connection).read(ATTEMPT),
  },
  {
    name: "creating a label",
    method: "POST",
    path: `${AT}/labels`,
    except: [422],
    before: (api) => api.post("/graphql").reply(200, { data: { repository: emptyBoard() } }),
    make: ({ github }) => github.updateCards(REPO, LABELS, MOVE),
  },
];

const GRAPHQL_CALLS: readonly Call[] = [
  {
    name: "issueStates",
    ...GRAPHQL,
    make: ({ github }) => github.issueStates(REPO, [taskId("octo/app#2")]),
  },
  {
    name: "provenance",
    ...GRAPHQL,
    before: (api) => api.get("/app").reply(200, { slug: "wavetrain" }),
    make: ({ github }) => github.provenance(REPO, PROJECT, [taskId("octo/app#2")]),
  },
  { ...GRAPHQL, name: "mergeQueue", make: ({ github }) => github.mergeQueue(REPO, "main") },
  { ...GRAPHQL, name: "the board of labels", make: ({ github }) => github.readRepo(REPO, LABELS) },
  { ...GRAPHQL, name: "the project", make: ({ github }) => github.readRepo(REPO, PROJECT) },
  { ...GRAPHQL, name: "pullState", make: ({ github }) => github.pullState(REPO, 11) },
  {
    name: "changing labels",
    ...GRAPHQL,
    before: (api) =>
      api
        .post("/graphql")
        .reply(200, { data: { repository: emptyBoard({ ready: { id: "L1" } }) } }),
    make: ({ github }) => github.updateCards(REPO, LABELS, MOVE),
  },
];

function emptyBoard(labels: object = {}): object {
  const none = { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] };
  return { issues: none, pullRequests: none, ...labels };
}

describeErrorAnswers([...REST_CALLS, ...GRAPHQL_CALLS]);
describeGraphqlErrors(GRAPHQL_CALLS);

let on: NockedGitHub;
beforeEach(() => {
  on = nockedGitHub();
});
afterEach(leaveNetwork);

describe("issues that are not there", () => {
  it("are absent beside those that are, in states and in records", async () => {
    installed(on.api);
    const errors = [{ type: "NOT_FOUND", message: "no", path: ["issue0", "issue"] }];
    const data = {
      issue0: { issue: null },
      issue1: { issue: { state: "OPEN", stateReason: null } },
    };
    on.api.post("/graphql").reply(200, { data, errors });
    const ids = [taskId("octo/app#2"), taskId("octo/app#3")];
    expect([...(await on.github.issueStates(REPO, ids)).keys()]).toEqual(["octo/app#3"]);
  });
});

describe.each([
  {
    name: "updateRefs",
    first: { data: { repository: { id: "R1" } } },
    make: ({ github }: NockedGitHub) =>
      github.updateRefs(LOCK, {
        repo: REPO,
        updates: [{ branch: "main", before: shaOf(1), after: shaOf(2), force: false }],
      }),
  },
  {
    name: "enqueuePullRequest",
    first: { data: { repository: { pullRequest: { id: "P1", isInMergeQueue: false } } } },
    make: ({ github }: NockedGitHub) =>
      github.enqueuePullRequest(LOCK, { repo: REPO, pull: 11, head: shaOf(7) }),
  },
])("$name", ({ first, make }) => {
  beforeEach(() => {
    installed(on.api).post("/graphql").reply(200, first);
  });

  it.each(ERROR_ANSWERS)("has an outcome for $status $headers $message", async (answer) => {
    on.api.post("/graphql").reply(answer.status, refusal(answer), answer.headers);
    expect((await make(on)).kind).toBe(answer.retryable ? "unknown" : "refused");
  });

  it.each([
    { type: "RATE_LIMITED", message: "no", kind: "unknown" },
    { type: undefined, message: "Something went wrong", kind: "unknown" },
    { type: "FORBIDDEN", message: "Resource not accessible by integration", kind: "refused" },
    { type: "UNPROCESSABLE", message: "Repository rule violations found", kind: "refused" },
    { type: "STALE_DATA", message: "expected oid does not match", kind: "stale" },
    { type: "UNPROCESSABLE", message: "expected oid does not match", kind: "refused" },
  ])("has an outcome for 200 with $type $message", async ({ type, message, kind }) => {
    on.api.post("/graphql").reply(200, { data: null, errors: [{ type, message }] });
    expect((await make(on)).kind).toBe(kind);
  });

  it.each<[string, (answer: nock.Interceptor) => unknown]>([
    ["a reset connection", (answer) => answer.replyWithError(new Error("read ECONNRESET"))],
    ["a page of a proxy", (answer) => answer.reply(200, "<html>", { "content-type": "text/html" })],
  ])("is unknown after %s", async (_, give) => {
    give(on.api.post("/graphql"));
    expect((await make(on)).kind).toBe("unknown");
  });
});

describe("what a write answers when it is no JSON", () => {
  it.each<[string, (on: NockedGitHub) => Promise<unknown>, string]>([
    ["createCheck", ({ github }) => github.createCheck(CHECK), `${AT}/check-runs`],
    [
      "createComment",
      ({ github }) => github.createComment(REPO, 1, "B"),
      `${AT}/issues/1/comments`,
    ],
    ["openPullRequest", ({ github }) => github.openPullRequest(PULL), `${AT}/pulls`],
  ])("is no number of %s", async (_, make, path) => {
    installed(on.api).post(path).reply(200, "<html>", { "content-type": "text/html" });
    expect(await failureOf(make(on))).toMatchObject({ code: "github-unavailable" });
  });
});
