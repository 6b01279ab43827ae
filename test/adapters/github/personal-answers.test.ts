import type nock from "nock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPersonalAccess } from "../../../src/adapters/github/connection/personal-access.ts";
import { createGitHub } from "../../../src/adapters/github/create-github.ts";
import { taskId } from "../../../src/domain/ids.ts";
import type { GitHub } from "../../../src/ports/github.ts";
import { aConfig } from "../../support/a-config.ts";
import { NOW, REPO } from "../../support/builders.ts";
import {
  API,
  EMPTY_PROJECT,
  ERROR_ANSWERS,
  failureOf,
  installed,
  leaveNetwork,
  nockedGitHub,
  refusal,
} from "./nocked-github.ts";
import type { NockedGitHub } from "./nocked-github.ts";

const BOARD = aConfig({ board: { kind: "user-project", owner: "ann", project: 3 } });

interface Call {
  readonly name: string;
  readonly make: (github: GitHub) => Promise<unknown>;
  readonly before?: (api: nock.Scope) => unknown;
}

const CALLS: readonly Call[] = [
  { name: "the project", make: (github) => github.readRepo(REPO, BOARD) },
  {
    name: "who moved its cards",
    before: (api) => api.get("/app").reply(200, { slug: "wavetrain" }),
    make: (github) => github.provenance(REPO, BOARD, [taskId("octo/app#2")]),
  },
  {
    name: "cards on the project",
    make: (github) => github.addCards(REPO, BOARD, [{ id: 21, nodeId: "I2", number: 2 }]),
  },
];

/** What the owner of the token has to put right is said; everything else is as for the app itself. */
const expected = (status: number, code: string): string =>
  (status === 401 || status === 403) && code === "github-refused" ? "board-unreadable" : code;

let on: NockedGitHub;
let github: GitHub;
beforeEach(() => {
  on = nockedGitHub();
  const access = createPersonalAccess(API, () => Promise.resolve("ghp_ann"));
  github = createGitHub(on.connection, () => NOW, access);
});
afterEach(leaveNetwork);

describe.each(CALLS)("$name of a person", ({ make, before }) => {
  beforeEach(() => {
    before?.(on.api);
  });

  it.each(ERROR_ANSWERS)("ends in a typed error after $status $headers $message", async (row) => {
    const { status, code, retryable, headers } = row;
    on.api.post("/graphql").reply(status, refusal(row), headers);
    const failure = await failureOf(make(github));
    expect(failure).toMatchObject({ code: expected(status, code), retryable });
    expect(failure.message).not.toContain("ghp_ann");
  });

  it.each([
    { type: "RATE_LIMITED", code: "github-rate-limited" },
    { type: "INSUFFICIENT_SCOPES", code: "board-unreadable" },
    { type: "FORBIDDEN", code: "github-refused" },
    { type: undefined, code: "github-unavailable" },
  ])("ends in $code after 200 with $type", async ({ type, code }) => {
    const errors = [{ type, message: "no", path: ["repository"] }];
    on.api.post("/graphql").reply(200, { data: null, errors });
    expect(await failureOf(make(github))).toMatchObject({ code });
  });

  it.each<[string, (answer: nock.Interceptor) => unknown]>([
    ["a reset connection", (answer) => answer.replyWithError(new Error("read ECONNRESET"))],
    ["a page of a proxy", (answer) => answer.reply(200, "<html>", { "content-type": "text/html" })],
  ])("is tried again after %s", async (_, give) => {
    give(on.api.post("/graphql"));
    expect(await failureOf(make(github))).toMatchObject({
      code: "github-unavailable",
      retryable: true,
    });
  });
});

describe("cards for new issues", () => {
  it("are put on the project of the person, as that person", async () => {
    const options = [{ id: "o", name: BOARD.objectives.column }];
    const project = { id: "PVT", field: { id: "F", options } };
    const added = { item: { id: "PVTI", status: null } };
    const documents: { readonly query: string; readonly variables: object }[] = [];
    const heard = (body: object) => documents.push(body as (typeof documents)[number]) > 0;
    on.api
      .post("/graphql", heard)
      .matchHeader("authorization", "token ghp_ann")
      .reply(200, { data: { account: { projectV2: project } } })
      .post("/graphql", heard)
      .reply(200, { data: { m0: added } })
      .post("/graphql", heard)
      .reply(200, { data: { m0: { projectV2Item: { id: "PVTI" } } } });
    await github.addCards(REPO, BOARD, [{ id: 21, nodeId: "I2", number: 2 }]);
    expect(documents[0]?.query).toContain("user(login: $owner)");
    expect(documents[0]?.variables).toMatchObject({ owner: "ann", project: 3 });
  });
});

describe("a look for changes on a person's project", () => {
  it.each(ERROR_ANSWERS)("is refused or says that there may be news: $status", async (row) => {
    const { status, code, headers } = row;
    installed(on.api)
      .get(/\/issues/)
      .reply(200, []);
    on.api.post("/graphql").times(2).reply(200, EMPTY_PROJECT);
    on.api.get(/\/users\/ann\/projectsV2/).reply(status, refusal(row), headers);
    await github.readRepo(REPO, BOARD);
    const look = github.isUnchanged(REPO, BOARD);
    if ([401, 403, 404].includes(status)) expect(await look).toBe(false);
    else expect(await failureOf(look)).toMatchObject({ code });
  });
});
