import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { markOwnPart } from "../../../src/domain/markers.ts";
import type { GitHub } from "../../../src/ports/github.ts";
import { NOW, REPO, shaOf } from "../../support/builders.ts";
import {
  ERROR_ANSWERS,
  failureOf,
  installed,
  leaveNetwork,
  nockedGitHub,
  refusal,
} from "./nocked-github.ts";
import type { NockedGitHub } from "./nocked-github.ts";

const CHECK = {
  repo: REPO,
  head: shaOf(7),
  name: "wavetrain",
  status: "success",
  title: "Verified",
  summary: "All is well.",
} as const;
const PULL = { repo: REPO, branch: "wavetrain/1", base: "main", title: "T", body: "B" };

interface Call {
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string | RegExp;
  readonly make: (github: GitHub) => Promise<unknown>;
  /** Statuses that mean something of their own for this call. */
  readonly except?: readonly number[];
}

const AT = `/repos/${REPO}`;
const CALLS: readonly Call[] = [
  {
    name: "readConfigFile",
    method: "GET",
    path: `${AT}/contents/.github%2Fwavetrain.yml`,
    make: (github) => github.readConfigFile(REPO),
    except: [404],
  },
  {
    name: "pullState",
    method: "POST",
    path: "/graphql",
    make: (github) => github.pullState(REPO, 11),
  },
  {
    name: "findComment",
    method: "GET",
    path: /\/issues\/1\/comments/,
    make: (github) => github.findComment(REPO, 1, "marker"),
    // Octokit reads a conflict in a list as an empty list; GitHub gives none here.
    except: [409],
  },
  {
    name: "createComment",
    method: "POST",
    path: `${AT}/issues/1/comments`,
    make: (github) => github.createComment(REPO, 1, "body"),
  },
  {
    name: "updateComment",
    method: "PATCH",
    path: `${AT}/issues/comments/9`,
    make: (github) => github.updateComment(REPO, "9", "body"),
  },
  {
    name: "readComment",
    method: "GET",
    path: `${AT}/issues/comments/9`,
    make: (github) => github.readComment(REPO, "9"),
    except: [404, 410],
  },
  {
    name: "react",
    method: "POST",
    path: `${AT}/issues/comments/9/reactions`,
    make: (github) => github.react(REPO, "9", "+1"),
  },
  {
    name: "setLabels",
    method: "POST",
    path: `${AT}/issues/1/labels`,
    make: (github) => github.setLabels(REPO, 1, { add: ["priority:high"], remove: [] }),
  },
  {
    name: "openPullRequest",
    method: "POST",
    path: `${AT}/pulls`,
    make: (github) => github.openPullRequest(PULL),
    except: [422],
  },
  {
    name: "createCheck",
    method: "POST",
    path: `${AT}/check-runs`,
    make: (github) => github.createCheck(CHECK),
  },
  {
    name: "updateCheck",
    method: "PATCH",
    path: `${AT}/check-runs/9`,
    make: (github) => github.updateCheck("9", CHECK),
  },
  {
    name: "closeIssue",
    method: "PATCH",
    path: `${AT}/issues/1`,
    make: (github) => github.closeIssue(REPO, 1),
  },
  {
    name: "mayWrite",
    method: "GET",
    path: `${AT}/collaborators/ann/permission`,
    make: (github) => github.mayWrite(REPO, "ann"),
    except: [404],
  },
  {
    name: "gitToken",
    method: "POST",
    path: "/app/installations/5/access_tokens",
    make: (github) => github.gitToken(REPO),
  },
];

let on: NockedGitHub;
beforeEach(() => {
  on = nockedGitHub();
});
afterEach(leaveNetwork);

describe.each(CALLS)("$name", ({ method, path, make, except = [] }) => {
  beforeEach(() => {
    installed(on.api);
  });

  it.each(ERROR_ANSWERS.filter(({ status }) => !except.includes(status)))(
    "takes $status $headers for $code",
    async ({ code, retryable, ...answer }) => {
      on.api.intercept(path, method).reply(answer.status, refusal(answer), answer.headers);
      expect(await failureOf(make(on.github))).toMatchObject({ code, retryable });
    },
  );

  it("is tried again after a network error", async () => {
    on.api.intercept(path, method).replyWithError(new Error("socket hang up"));
    expect(await failureOf(make(on.github))).toMatchObject({
      code: "github-unavailable",
      retryable: true,
      message: expect.stringContaining("did not answer") as string,
    });
  });
});

describe("readConfigFile", () => {
  const path = `${AT}/contents/.github%2Fwavetrain.yml`;
  beforeEach(() => {
    installed(on.api);
  });

  it("gives the text with the name of its blob", async () => {
    const content = Buffer.from("runner: codex\n").toString("base64");
    on.api.get(path).reply(200, { type: "file", content, sha: "abc" });
    const file = await on.github.readConfigFile(REPO);
    expect(file).toEqual({ text: "runner: codex\n", sha: "abc" });
  });

  it("is undefined where there is no file", async () => {
    on.api.get(path).reply(404, refusal({ status: 404 }));
    expect(await on.github.readConfigFile(REPO)).toBeUndefined();
  });

  it.each([
    ["a folder", []],
    ["a submodule", { type: "submodule", sha: "abc" }],
  ])("is undefined where there is %s", async (_, answer) => {
    on.api.get(path).reply(200, answer);
    expect(await on.github.readConfigFile(REPO)).toBeUndefined();
  });
});

describe("pullState", () => {
  it.each([
    { state: "OPEN", oid: undefined, means: "open" },
    { state: "CLOSED", oid: undefined, means: "closed" },
    { state: "MERGED", oid: shaOf(9), means: "merged" },
  ])("reads $state with merge commit $oid as $means", async ({ state, oid, means }) => {
    const pullRequest = {
      state,
      isDraft: false,
      headRefOid: shaOf(7),
      baseRefName: "main",
      isInMergeQueue: false,
      mergeCommit: oid === undefined ? null : { oid },
    };
    installed(on.api)
      .post("/graphql")
      .reply(200, { data: { repository: { pullRequest } } });
    expect(await on.github.pullState(REPO, 11)).toEqual({
      state: means,
      head: shaOf(7),
      base: "main",
      draft: false,
      mergedAs: oid,
      inMergeQueue: false,
    });
  });
});

describe("an answer that the budget is used up", () => {
  it.each([
    ["the seconds that it asks for", { "retry-after": "30" }, 30_000],
    [
      "its next hour, by its own clock",
      {
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": "1800000600",
        date: "Fri, 15 Jan 2027 08:00:00 GMT",
      },
      600_000,
    ],
  ])("says how long to wait: %s", async (_, headers, retryAfterMs) => {
    installed(on.api)
      .post(`${AT}/pulls`)
      .reply(403, refusal({ status: 403 }), headers);
    const failure = await failureOf(on.github.openPullRequest(PULL));
    expect(failure).toMatchObject({ code: "github-rate-limited", retryAfterMs });
  });

  it("means a minute when it names no time", async () => {
    installed(on.api)
      .post(`${AT}/pulls`)
      .reply(429, refusal({ status: 429 }));
    const failure = await failureOf(on.github.openPullRequest(PULL));
    expect(failure).toMatchObject({ code: "github-rate-limited", retryAfterMs: 60_000 });
  });
});

describe("openPullRequest", () => {
  const create = () => installed(on.api).post(`${AT}/pulls`);
  const list = (found: unknown[]) =>
    on.api
      .get(`${AT}/pulls`)
      .query({ head: "octo:wavetrain/1", base: "main", state: "open" })
      .reply(200, found);

  it("gives the number of the new one", async () => {
    create().reply(201, { number: 11 });
    expect(await on.github.openPullRequest(PULL)).toEqual({ pull: 11, text: "told" });
  });

  it("finds the one that the branch already has", async () => {
    create().reply(422, { message: "A pull request already exists for octo:wavetrain/1." });
    const told = markOwnPart("attempt 2");
    list([{ number: 8, body: `seen\n${markOwnPart("attempt 1")}` }]);
    on.api.patch(`${AT}/pulls/8`, { body: `seen\n${told.trimEnd()}\n` }).reply(200, {});
    const opened = await on.github.openPullRequest({ ...PULL, body: told });
    expect(opened).toEqual({ pull: 8, text: "told" });
  });

  it("leaves the text of one alone that people wrote anew, and writes nothing that is there", async () => {
    create().reply(422, { message: "A pull request already exists for octo:wavetrain/1." });
    list([{ number: 8, body: null }]);
    expect(await on.github.openPullRequest(PULL)).toEqual({ pull: 8, text: "left" });
    const body = markOwnPart("attempt 1");
    on.api.get(`${AT}/pulls/8`).reply(200, { body });
    expect(await on.github.describePullRequest(REPO, 8, body)).toBe("told");
  });

  it("is refused when there is none and none can be made", async () => {
    create().reply(422, { message: "No commits between main and wavetrain/1" });
    list([]);
    expect(await failureOf(on.github.openPullRequest(PULL))).toMatchObject({
      code: "github-refused",
    });
  });
});

describe("findComment", () => {
  const comments = (list: unknown[]) =>
    installed(on.api).get(`${AT}/issues/1/comments`).query({ per_page: 100 }).reply(200, list);

  it("finds the app's own comment", async () => {
    comments([
      { id: 1, body: "marker, said a person", user: { type: "User" } },
      { id: 2, body: undefined, user: null },
      { id: 3, body: "hello marker", user: { type: "Bot" } },
    ]);
    expect(await on.github.findComment(REPO, 1, "marker")).toBe("3");
  });

  it("is undefined when there is none", async () => {
    comments([{ id: 3, body: "something else", user: { type: "Bot" } }]);
    expect(await on.github.findComment(REPO, 1, "marker")).toBeUndefined();
  });
});

describe("findCheck", () => {
  const checks = (list: unknown[]) => {
    on.api.get("/app").reply(200, { slug: "wavetrain" });
    return installed(on.api)
      .get(`${AT}/commits/${CHECK.head}/check-runs`)
      .query({ check_name: "wavetrain", per_page: 100 })
      .reply(200, { total_count: list.length, check_runs: list });
  };

  it("finds the app's own check run", async () => {
    checks([
      { id: 1, app: { slug: "other" } },
      { id: 2, app: null },
      { id: 3, app: { slug: "wavetrain" } },
    ]);
    expect(await on.github.findCheck(CHECK)).toBe("3");
  });

  it("is undefined when there is none", async () => {
    checks([{ id: 1, app: { slug: "other" } }]);
    expect(await on.github.findCheck(CHECK)).toBeUndefined();
  });
});

describe("the check run", () => {
  it.each([
    ["queued", { status: "queued" }],
    ["in-progress", { status: "in_progress" }],
    ["success", { conclusion: "success" }],
    ["failure", { conclusion: "failure" }],
    ["neutral", { conclusion: "neutral" }],
  ] as const)("is %s in GitHub's words", async (status, words) => {
    installed(on.api)
      .post(`${AT}/check-runs`, {
        ...words,
        name: "wavetrain",
        head_sha: shaOf(7),
        output: { title: "Verified", summary: "All is well." },
      })
      .reply(201, { id: 9 });
    expect(await on.github.createCheck({ ...CHECK, status })).toBe("9");
  });
});

describe("the buttons and notes of a check run", () => {
  it("are GitHub's actions and annotations, no more than it takes", async () => {
    const button = { label: "Retry", description: "Another attempt", identifier: "retry" };
    const notes = Array.from({ length: 60 }, (_, n) => ({ path: `f${n}`, message: "outside" }));
    let sent: Record<string, unknown> = {};
    installed(on.api)
      .post(`${AT}/check-runs`, (body: Record<string, unknown>) => {
        sent = body;
        return true;
      })
      .reply(201, { id: 9 });
    const summary = "One of very many problems.\n".repeat(4000);
    await on.github.createCheck({ ...CHECK, summary, buttons: [button], notes });
    const output = sent["output"] as { annotations: unknown[]; summary: string };
    const { annotations } = output;
    expect(Buffer.byteLength(output.summary)).toBeLessThan(65_535);
    expect(output.summary).toContain("The rest is left out");
    expect(sent["actions"]).toEqual([button]);
    expect(annotations.length).toBe(50);
    expect(annotations[0]).toEqual({
      path: "f0",
      message: "outside",
      annotation_level: "warning",
      start_line: 1,
      end_line: 1,
    });
  });
});

describe("readComment", () => {
  const comment = () => installed(on.api).get(`${AT}/issues/comments/9`);

  it("says who wrote what on which issue", async () => {
    const issue_url = `https://api.github.test${AT}/issues/12`;
    const created_at = "2026-01-02T03:04:05Z";
    comment().reply(200, { body: "/retry", issue_url, user: { login: "ann" }, created_at });
    const read = await on.github.readComment(REPO, "9");
    const createdAt = Date.parse(created_at);
    expect(read).toEqual({ author: "ann", body: "/retry", issue: 12, createdAt });
  });

  it.each([404, 410])("is undefined when the comment is gone (%i)", async (status) => {
    comment().reply(status, refusal({ status }));
    expect(await on.github.readComment(REPO, "9")).toBeUndefined();
  });
});

describe("setLabels", () => {
  it("does not mind that a label is gone already", async () => {
    installed(on.api)
      .delete(`${AT}/issues/1/labels/priority%3Alow`)
      .reply(404, refusal({ status: 404 }))
      .post(`${AT}/issues/1/labels`, { labels: ["priority:high"] })
      .reply(200, []);
    const labels = { add: ["priority:high"], remove: ["priority:low"] };
    await on.github.setLabels(REPO, 1, labels);
    expect(on.api.isDone()).toBe(true);
  });
});

describe("gitToken", () => {
  const path = "/app/installations/5/access_tokens";
  const expiring = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();

  it("is good for this repository's contents alone, and asked for once", async () => {
    installed(on.api)
      .post(path, { repository_ids: [12], permissions: { contents: "write" } })
      .reply(201, { token: "ghs_1", expires_at: expiring(60) });
    expect(await on.github.gitToken(REPO)).toBe("ghs_1");
    expect(await on.github.gitToken(REPO)).toBe("ghs_1");
  });

  it("is good for workflow files as soon as the installation has that, and no longer", async () => {
    const contents = { repository_ids: [12], permissions: { contents: "write" } };
    const both = { ...contents, permissions: { contents: "write", workflows: "write" } };
    const made = (token: string) => ({ token, expires_at: expiring(60) });
    installed(on.api).post(path, contents).reply(201, made("ghs_1"));
    expect(await on.github.gitToken(REPO)).toBe("ghs_1");
    installed(on.api, { workflows: "write" }).post(path, both).reply(201, made("ghs_2"));
    expect(await on.github.listRepos()).toMatchObject([{ mayWriteWorkflows: true }]);
    expect(await on.github.gitToken(REPO)).toBe("ghs_2");
  });

  it("does without what was taken back meanwhile", async () => {
    installed(on.api, { workflows: "write" })
      .post(path)
      .reply(422, { message: "The permissions requested are not granted to this installation." });
    installed(on.api)
      .post(path, { repository_ids: [12], permissions: { contents: "write" } })
      .reply(201, { token: "ghs_1", expires_at: expiring(60) });
    expect(await on.github.gitToken(REPO)).toBe("ghs_1");
  });

  it("is renewed before it expires", async () => {
    installed(on.api)
      .post(path)
      .reply(201, { token: "ghs_1", expires_at: expiring(10) })
      .post(path)
      .reply(201, { token: "ghs_2", expires_at: expiring(60) });
    expect(await on.github.gitToken(REPO)).toBe("ghs_1");
    expect(await on.github.gitToken(REPO)).toBe("ghs_2");
  });
});

describe("listRepos", () => {
  it.each(ERROR_ANSWERS.filter(({ status }) => status !== 409))(
    "takes $status $headers for $code",
    async ({ code, retryable, ...answer }) => {
      on.api
        .get("/app/installations?per_page=100")
        .reply(answer.status, refusal(answer), answer.headers);
      expect(await failureOf(on.github.listRepos())).toMatchObject({ code, retryable });
    },
  );

  it("names repository, default branch and whether it is private", async () => {
    installed(on.api);
    expect(await on.github.listRepos()).toMatchObject([
      { repo: REPO, defaultBranch: "main", private: true, owner: "organization" },
    ]);
  });

  it("knows a repository that the app is not installed on", async () => {
    on.api.get("/app/installations?per_page=100").reply(200, []);
    expect(await failureOf(on.github.pullState(REPO, 11))).toMatchObject({
      code: "github-refused",
    });
  });
});

describe("botLogin", () => {
  it("is the app's name with the mark of a bot", async () => {
    on.api.get("/app").reply(200, { slug: "wavetrain" });
    expect(await on.connection.botLogin()).toBe("wavetrain[bot]");
  });

  it.each(ERROR_ANSWERS)(
    "takes $status $headers for $code",
    async ({ code, retryable, ...answer }) => {
      on.api.get("/app").reply(answer.status, refusal(answer), answer.headers);
      expect(await failureOf(on.connection.botLogin())).toMatchObject({ code, retryable });
    },
  );
});
