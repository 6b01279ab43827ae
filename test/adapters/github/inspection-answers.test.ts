import type nock from "nock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createInspection } from "../../../src/adapters/github/inspection/inspection.ts";
import {
  convertManifest,
  createSetupWriter,
} from "../../../src/adapters/github/inspection/setup-writer.ts";
import type { Answer } from "../../../src/ports/inspection.ts";
import { REPO } from "../../support/builders.ts";
import { GRAPHQL, LIST } from "./describe-errors.ts";
import type { Call } from "./describe-errors.ts";
import {
  API,
  ERROR_ANSWERS,
  installed,
  leaveNetwork,
  nockedGitHub,
  refusal,
} from "./nocked-github.ts";
import type { NockedGitHub } from "./nocked-github.ts";

interface Question extends Omit<Call, "make"> {
  readonly ask: (on: NockedGitHub) => Promise<Answer<unknown>>;
}

const AT = `/repos/${REPO}`;
const FIELD = { project: "PVT", name: "Wave", type: "NUMBER" } as const;
const LABEL = { name: "ready", color: "ffffff", description: "d" };

const look = ({ auth, connection }: NockedGitHub) => createInspection(auth, connection);
const furnish = ({ connection }: NockedGitHub) => createSetupWriter(connection);

const AS_APP: readonly Question[] = [
  { name: "the app", method: "GET", path: "/app", ask: (on) => look(on).app() },
  { name: "its webhook", method: "GET", path: "/app/hook/config", ask: (on) => look(on).hook() },
  {
    name: "deliveries",
    method: "GET",
    path: /\/app\/hook\/deliveries/,
    ask: (on) => look(on).deliveries(),
  },
  {
    name: "installations",
    method: "GET",
    path: "/app/installations",
    except: LIST,
    ask: (on) => look(on).installations(),
  },
  {
    name: "repositories",
    method: "GET",
    path: "/installation/repositories",
    except: LIST,
    ask: (on) => look(on).repositories(5),
  },
  {
    name: "the new app",
    method: "POST",
    path: "/app-manifests/c/conversions",
    ask: () => convertManifest(API, "c"),
  },
];

const QUESTIONS: readonly Question[] = [
  ...AS_APP.map((question) => ({ ...question, asApp: true })),
  {
    name: "the configuration",
    method: "GET",
    path: /\/contents\//,
    except: [404],
    ask: (on) => look(on).configFile(REPO),
  },
  {
    name: "the branch",
    method: "GET",
    path: `${AT}/branches/main`,
    except: [404],
    ask: (on) => look(on).branch(REPO, "main"),
  },
  {
    name: "the rules",
    method: "GET",
    path: /\/rules\/branches\/main/,
    except: LIST,
    ask: (on) => look(on).rules(REPO, "main"),
  },
  {
    name: "what is out of reach",
    method: "GET",
    path: /\/contents\/\.gitmodules/,
    except: [404],
    ask: (on) => look(on).outOfReach(REPO, "main"),
  },
  {
    name: "the labels",
    method: "GET",
    path: /\/labels/,
    except: LIST,
    ask: (on) => look(on).labels(REPO),
  },
  {
    name: "a new label",
    method: "POST",
    path: `${AT}/labels`,
    except: [422],
    ask: (on) => furnish(on).createLabel(REPO, LABEL),
  },
];

const GRAPHQL_QUESTIONS: readonly Question[] = [
  { ...GRAPHQL, name: "the project", ask: (on) => look(on).project(REPO, 1) },
  { ...GRAPHQL, name: "a new field", ask: (on) => furnish(on).createField(REPO, FIELD) },
];

let on: NockedGitHub;
beforeEach(() => {
  on = nockedGitHub();
});
afterEach(leaveNetwork);

function prepare({ asApp = false }: Question): void {
  if (!asApp) installed(on.api);
}

describe.each([...QUESTIONS, ...GRAPHQL_QUESTIONS])("a question about $name", (question) => {
  const { method, path, ask, except = [] } = question;

  it.each(ERROR_ANSWERS.filter(({ status }) => !except.includes(status)))(
    "tells of $status $headers $message instead of throwing",
    async ({ code, status, ...answer }) => {
      prepare(question);
      const given = { ...answer, status };
      on.api.intercept(path, method).reply(status, refusal(given), answer.headers);
      const kind = code === "github-rate-limited" ? "limited" : "refused";
      expect(await ask(on)).toMatchObject({ ok: false, error: { kind, status } });
    },
  );

  it.each<[string, (answer: nock.Interceptor) => unknown]>([
    ["a reset connection", (answer) => answer.replyWithError(new Error("read ECONNRESET"))],
    ["a page of a proxy", (answer) => answer.reply(200, "<html>", { "content-type": "text/html" })],
    [
      "half an answer",
      (answer) => answer.reply(200, '{"data":', { "content-type": "application/json" }),
    ],
  ])("is not answered by %s", async (_, give) => {
    prepare(question);
    give(on.api.intercept(path, method));
    expect(await ask(on)).toMatchObject({ ok: false, error: { kind: "silent" } });
  });
});

describe.each(GRAPHQL_QUESTIONS)("a question about $name, answered with 200", (question) => {
  it.each([
    { type: "RATE_LIMITED", kind: "limited" },
    { type: "INSUFFICIENT_SCOPES", kind: "refused" },
    { type: undefined, kind: "refused" },
  ])("and $type is $kind", async ({ type, kind }) => {
    prepare(question);
    on.api.post("/graphql").reply(200, { data: null, errors: [{ type, message: "no" }] });
    expect(await question.ask(on)).toMatchObject({ ok: false, error: { kind, words: "no" } });
  });
});

describe("what is not there", () => {
  it.each([
    { data: { account: null } },
    { data: { account: { projectV2: null } } },
    { data: null, errors: [{ type: "NOT_FOUND", message: "no", path: ["account"] }] },
    { data: null, errors: [{ type: "FORBIDDEN", message: "no", path: ["account", "projectV2"] }] },
  ])("is no project: %j", async (body) => {
    installed(on.api).post("/graphql").reply(200, body);
    expect(await look(on).project(REPO, 1)).toEqual({ ok: true, value: undefined });
  });

  it("is no branch and no configuration, and a label that is there was not made", async () => {
    installed(on.api)
      .get(`${AT}/branches/main`)
      .reply(404)
      .get(/\/contents\//)
      .reply(404)
      .post(`${AT}/labels`)
      .reply(422);
    expect(await look(on).branch(REPO, "main")).toEqual({ ok: true, value: undefined });
    expect(await look(on).configFile(REPO)).toEqual({ ok: true, value: undefined });
    expect(await furnish(on).createLabel(REPO, LABEL)).toMatchObject({ ok: true });
  });

  it("what is out of reach is read from two files, if they are there", async () => {
    const file = (text: string) => ({
      type: "file",
      content: Buffer.from(text).toString("base64"),
    });
    installed(on.api)
      .get(`${AT}/contents/.gitmodules?ref=main`)
      .reply(200, file('[submodule "x"]\n\tpath = vendor/x y\n\turl = ../x\n'))
      .get(`${AT}/contents/.gitattributes?ref=main`)
      .reply(404);
    expect(await look(on).outOfReach(REPO, "main")).toEqual({
      ok: true,
      value: { submodules: ["vendor/x y"], lfs: [] },
    });
  });
});
