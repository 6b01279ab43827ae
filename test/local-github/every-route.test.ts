import { createSign, generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rerequestCheckRun } from "../../src/local-github/actions/checks.ts";
import {
  archiveItem,
  createField,
  deleteItem,
  moveItem,
  setFieldValue,
} from "../../src/local-github/actions/projects.ts";
import {
  closePullRequest,
  reopenPullRequest,
  setDraft,
} from "../../src/local-github/actions/pull-state.ts";
import type { Project } from "../../src/local-github/model/project.ts";
import { ROUTES } from "../../src/local-github/rest/find-route.ts";
import type { LocalGitHub } from "../../src/local-github/start-local-github.ts";
import { startLocalGitHub } from "../../src/local-github/start-local-github.ts";
import { findOperation } from "../support/schemas/find-operation.ts";
import { StrictObserver } from "../support/schemas/strict-observer.ts";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** Notes which routes were asked and answered well. */
class NotingObserver extends StrictObserver {
  readonly answered = new Set<string>();
  readonly webhooks = new Set<string>();

  override rest(exchange: Parameters<StrictObserver["rest"]>[0]): void {
    super.rest(exchange);
    const { method, route, status } = exchange;
    if (status < 300) this.answered.add(`${method} ${route ?? ""}`);
  }

  override webhook(webhook: Parameters<StrictObserver["webhook"]>[0]): void {
    super.webhook(webhook);
    const { action } = webhook.payload as { readonly action?: string };
    this.webhooks.add(action === undefined ? webhook.event : `${webhook.event}.${action}`);
  }
}

const observer = new NotingObserver();
let github: LocalGitHub;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "local-github-routes-"));
  github = await startLocalGitHub({
    dataDir,
    observer,
    app: {
      id: 7,
      slug: "wavetrain",
      name: "Wavetrain",
      publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
      webhookSecret: "s3cret",
      webhookUrl: "http://127.0.0.1:9/",
    },
  });
});

afterAll(async () => {
  await github.close();
  await rm(dataDir, { recursive: true, force: true });
});

function jwt(): string {
  const now = Math.floor(Date.now() / 1000);
  const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString("base64url");
  const text = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iat: now, exp: now + 300, iss: "7" })}`;
  const signature = createSign("RSA-SHA256").update(text).sign(privateKey).toString("base64url");
  return `${text}.${signature}`;
}

type Json = Record<string, unknown> & { id: number; number: number; sha: string; token: string };

async function call(token: string, request: string, body?: unknown): Promise<Json> {
  const [method = "", path = ""] = request.split(" ");
  const response = await fetch(`${github.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect({ request, status: response.status, text }).toMatchObject({
    status: expect.toSatisfy((status: number) => status < 300) as number,
  });
  return (text === "" ? {} : JSON.parse(text)) as Json;
}

async function askAboutApp(): Promise<string> {
  const app = jwt();
  await call(app, "GET /app");
  const [installation] = (await call(app, "GET /app/installations")) as unknown as Json[];
  const at = `/app/installations/${installation!.id}`;
  await call(app, `GET ${at}`);
  await call(app, "GET /repos/acme/app/installation");
  await call(app, "GET /orgs/acme/installation");
  const { token } = await call(app, `POST ${at}/access_tokens`, { repositories: ["app"] });
  await call(token, "GET /installation/repositories");
  await call(token, "GET /rate_limit");
  return token;
}

async function askAboutIssues(token: string): Promise<void> {
  const at = "/repos/acme/app";
  await call(token, `POST ${at}/labels`, { name: "bug", color: "ff0000" });
  await call(token, `GET ${at}/labels`);
  await call(token, `GET ${at}/labels/bug`);
  const issues: Json[] = [];
  for (const title of ["One", "Two"]) {
    issues.push(await call(token, `POST ${at}/issues`, { title, body: "text", labels: ["bug"] }));
  }
  const [one, two] = issues.map(({ number }) => `${at}/issues/${number}`);
  await call(token, `PATCH ${one!}`, { title: "First" });
  await call(token, `GET ${one!}`);
  await call(token, `GET ${at}/issues?state=all&labels=bug&per_page=5`);
  await call(token, `GET ${one!}/labels`);
  await call(token, `POST ${one!}/labels`, { labels: ["ready"] });
  await call(token, `PUT ${one!}/labels`, { labels: ["bug", "ready"] });
  await call(token, `DELETE ${one!}/labels/ready`);
  const comment = await call(token, `POST ${one!}/comments`, { body: "hello" });
  await call(token, `GET ${one!}/comments`);
  await call(token, `GET ${at}/issues/comments/${comment.id}`);
  await call(token, `PATCH ${at}/issues/comments/${comment.id}`, { body: "hello!" });
  await relate(token, { one: one!, two: two!, ids: issues.map(({ id }) => id) });
  await call(token, `PATCH ${one!}`, { state: "closed", state_reason: "completed" });
  await call(token, `PATCH ${one!}`, { state: "open" });
  await call(token, `GET ${one!}/timeline`);
  await call(token, `DELETE ${at}/issues/comments/${comment.id}`);
}

async function relate(
  token: string,
  { one, two, ids }: { readonly one: string; readonly two: string; readonly ids: number[] },
): Promise<void> {
  const [oneId] = ids;
  await call(token, `POST ${two}/dependencies/blocked_by`, { issue_id: oneId });
  await call(token, `GET ${two}/dependencies/blocked_by`);
  await call(token, `GET ${one}/dependencies/blocking`);
  await call(token, `DELETE ${two}/dependencies/blocked_by/${oneId!}`);
  await call(token, `POST ${two}/sub_issues`, { sub_issue_id: oneId });
  await call(token, `GET ${two}/sub_issues`);
  await call(token, `GET ${one}/parent`);
  await call(token, `DELETE ${two}/sub_issue`, { sub_issue_id: oneId });
}

async function askAboutCode(token: string): Promise<void> {
  const at = "/repos/acme/app";
  await call(token, `GET ${at}`);
  await call(token, `GET ${at}/contents/README.md`);
  await call(token, `GET ${at}/collaborators/ada/permission`);
  await call(token, `GET ${at}/branches`);
  await call(token, `GET ${at}/branches/main`);
  await call(token, `GET ${at}/rules/branches/main`);
  const { sha } = await call(token, `GET ${at}/commits/main`);
  await call(token, `POST ${at}/git/refs`, { ref: "refs/heads/a/b", sha });
  await call(token, `GET ${at}/git/ref/heads/a/b`);
  await call(token, `GET ${at}/git/matching-refs/heads/a`);
  await call(token, `PATCH ${at}/git/refs/heads/a/b`, { sha, force: true });
  await call(token, `DELETE ${at}/git/refs/heads/a/b`);
  const checks = `${at}/check-runs`;
  const run = await call(token, `POST ${checks}`, { name: "verify", head_sha: sha });
  await call(token, `GET ${checks}/${run.id}`);
  const output = { title: "Verified", summary: "All is well" };
  await call(token, `PATCH ${checks}/${run.id}`, {
    status: "completed",
    conclusion: "success",
    output,
  });
  await call(token, `GET ${at}/commits/${sha}/check-runs`);
  await call(token, `POST ${at}/statuses/${sha}`, { state: "success", context: "ci" });
  await call(token, `GET ${at}/commits/${sha}/status`);
}

async function askAboutPulls(token: string): Promise<void> {
  const at = "/repos/acme/app";
  const ada = github.as("ada");
  const repository = github.world.repositories.get("acme/app")!;
  for (const branch of ["feature", "other"]) {
    await ada.push(repository, branch, { files: { [`${branch}.txt`]: "x" }, message: branch });
  }
  const wanted = { title: "Feature", head: "feature", base: "main", body: "Closes #1" };
  const pull = await call(token, `POST ${at}/pulls`, wanted);
  const self = `${at}/pulls/${pull.number}`;
  await call(token, `GET ${self}`);
  await call(token, `GET ${at}/pulls?state=open`);
  await call(token, `PATCH ${self}`, { title: "A feature" });
  await call(token, `GET ${self}/commits`);
  await call(token, `GET ${self}/files`);
  await ada.push(repository, "main", { files: { "main.txt": "x" }, message: "main" });
  await call(token, `PUT ${self}/update-branch`, {});
  const review = await call(token, `POST ${self}/reviews`, { event: "COMMENT", body: "hm" });
  expect(review.id).toBeTypeOf("number");
  const opened = [...github.world.threads.values()].find(({ number }) => number === pull.number);
  if (opened?.kind !== "pull-request") throw new Error("the pull request is not there");
  const approval = ada.approve(opened);
  await call(token, `GET ${self}/reviews`);
  await call(token, `PUT ${self}/reviews/${approval.id}/dismissals`, { message: "stale" });
  ada.label(opened, "bug");
  ada.comment(opened, "nice");
  const { head } = (await call(token, `GET ${self}`)) as unknown as { head: { sha: string } };
  await call(token, `PUT ${self}/merge`, { sha: head.sha, merge_method: "squash" });
  await call(token, `GET ${self}/merge`);
  await call(token, `GET ${at}/issues/${pull.number}`);
  const draft = await ada.openPullRequest(repository, { title: "D", head: "other", draft: true });
  await call(token, `GET ${at}/pulls/${draft.number}`);
  ada.closePullRequest(draft);
}

/** What people do that no route does, so that its webhooks are seen too. */
async function changeMore(token: string, board: Project): Promise<void> {
  const { world } = github;
  const ada = github.as("ada");
  const actor = ada.user;
  const repository = world.repositories.get("acme/app")!;
  const [item] = board.items;
  archiveItem(world, item!, { archived: true, actor });
  archiveItem(world, item!, { archived: false, actor });
  moveItem(world, item!, { after: null, actor });
  const wave = createField(world, board, { name: "Wave", dataType: "NUMBER" });
  setFieldValue(world, item!, { field: wave, value: 2, actor });
  const notes = createField(world, board, { name: "Notes", dataType: "TEXT" });
  setFieldValue(world, item!, { field: notes, value: "soon", actor });
  deleteItem(world, item!, actor);
  const [run] = world.checkRuns;
  rerequestCheckRun(world, run!, actor);
  ada.press(run!, "retry");
  const pull = [...world.threads.values()].find((thread) => thread.kind === "pull-request")!;
  ada.unlabel(pull, "bug");
  await ada.push(repository, "third", { files: { "third.txt": "x" }, message: "third" });
  const third = await ada.openPullRequest(repository, { title: "Third", head: "third" });
  setDraft(world, third, { draft: true, actor });
  setDraft(world, third, { draft: false, actor });
  closePullRequest(world, third, actor);
  reopenPullRequest(world, third, actor);
  await call(token, "DELETE /repos/acme/app/git/refs/heads/third");
  const other = await github.addRepository({ owner: "acme", name: "other" });
  github.addToInstallation(world.installations[0]!, [other]);
}

/** Requests that GitHub refuses, and with which status. */
const REFUSALS: readonly (readonly [number, string, unknown?])[] = [
  [404, "GET /repos/acme/app/issues/999"],
  [404, "GET /repos/acme/nothing"],
  [404, "GET /repos/acme/app/git/ref/heads/nothing"],
  [404, "GET /repos/acme/app/contents/nothing.txt"],
  [422, "POST /repos/acme/app/pulls", { title: "x", head: "nothing", base: "main" }],
  [422, "POST /repos/acme/app/git/refs", { ref: "refs/heads/x", sha: "0".repeat(40) }],
  [422, "POST /repos/acme/app/labels", { name: "bug", color: "ff0000" }],
  [422, "POST /repos/acme/app/check-runs", { name: "x", head_sha: "0".repeat(40) }],
];

async function statusOf(token: string, request: string, body?: unknown): Promise<number> {
  const [method = "", path = ""] = request.split(" ");
  const response = await fetch(`${github.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  await response.text();
  return response.status;
}

async function askInVain(token: string): Promise<void> {
  for (const [status, request, body] of REFUSALS) {
    expect([request, await statusOf(token, request, body)]).toEqual([request, status]);
  }
  expect(await statusOf("wrong", "GET /repos/acme/app")).toBe(401);
  expect(await statusOf(token, "GET /app")).toBe(401);
  const app = jwt();
  const at = `/app/installations/${github.world.installations[0]!.id}/access_tokens`;
  const narrow = await call(app, `POST ${at}`, { permissions: { metadata: "read" } });
  expect(await statusOf(narrow.token, "POST /repos/acme/app/issues", { title: "x" })).toBe(403);
  expect(await statusOf(app, `POST ${at}`, { permissions: { administration: "read" } })).toBe(422);
  const merge = "PUT /repos/acme/app/pulls/5/merge";
  github.faults.answer({
    matches: ({ path }) => path.endsWith("/merge"),
    status: 405,
    message: "no",
  });
  expect(await statusOf(token, merge, { sha: "0".repeat(40) })).toBe(405);
  github.faults.secondaryLimit({ retryAfterSeconds: 1 });
  expect(await statusOf(token, "GET /repos/acme/app")).toBe(403);
}

async function askAboutDeliveries(): Promise<void> {
  const app = jwt();
  await github.deliverySettled();
  const [delivery] = (await call(app, "GET /app/hook/deliveries?per_page=5")) as unknown as Json[];
  await call(app, `GET /app/hook/deliveries/${delivery!.id}`);
  await call(app, `POST /app/hook/deliveries/${delivery!.id}/attempts`);
  await github.deliverySettled();
}

describe("every route", () => {
  it("is in GitHub's description", () => {
    const unknown = ROUTES.filter(
      ({ method, template }) => findOperation(method, template)?.name !== `${method} ${template}`,
    );
    expect(unknown.map(({ template }) => template)).toEqual([]);
  });

  it("is asked here, and what it hears, says and sends fits GitHub's description", async () => {
    const acme = github.addOrganization("acme");
    github.addUser("ada");
    const files = { "README.md": "hello\n", ".github/wavetrain.yml": "land: pull-request\n" };
    const repository = await github.addRepository({
      owner: acme.login,
      name: "app",
      from: files,
      roles: { ada: "admin" },
    });
    github.addRule(repository, { type: "non_fast_forward", branch: "main" });
    github.installApp({
      account: "acme",
      permissions: {
        contents: "write",
        issues: "write",
        pull_requests: "write",
        checks: "write",
        statuses: "write",
        organization_projects: "write",
      },
      events: [
        ...["issues", "issue_comment", "issue_dependencies", "sub_issues", "label"],
        ...["pull_request", "pull_request_review", "push", "status", "check_run"],
        ...["projects_v2", "projects_v2_item"],
      ],
    });
    const board = github.addProject({ org: "acme", title: "Work", columns: ["Ready", "Done"] });
    const token = await askAboutApp();
    await askAboutIssues(token);
    const [issue] = [...github.world.threads.values()];
    github.addCard(board, issue!, "Ready");
    github.as("ada").moveCard(issue!, "Done");
    await askAboutCode(token);
    await askAboutPulls(token);
    await changeMore(token, board);
    await askInVain(token);
    await askAboutDeliveries();
    const asked = ROUTES.map(({ method, template }) => `${method} ${template}`);
    expect(asked.filter((route) => !observer.answered.has(route))).toEqual([]);
    expect([...observer.webhooks].sort()).toMatchInlineSnapshot(`
      [
        "check_run.completed",
        "check_run.created",
        "check_run.requested_action",
        "check_run.rerequested",
        "installation.created",
        "installation_repositories.added",
        "issue_comment.created",
        "issue_comment.deleted",
        "issue_comment.edited",
        "issue_dependencies.blocked_by_added",
        "issue_dependencies.blocked_by_removed",
        "issues.closed",
        "issues.edited",
        "issues.labeled",
        "issues.opened",
        "issues.reopened",
        "issues.unlabeled",
        "label.created",
        "projects_v2.created",
        "projects_v2_item.archived",
        "projects_v2_item.created",
        "projects_v2_item.deleted",
        "projects_v2_item.edited",
        "projects_v2_item.reordered",
        "projects_v2_item.restored",
        "pull_request.closed",
        "pull_request.converted_to_draft",
        "pull_request.edited",
        "pull_request.labeled",
        "pull_request.opened",
        "pull_request.ready_for_review",
        "pull_request.reopened",
        "pull_request.synchronize",
        "pull_request.unlabeled",
        "pull_request_review.dismissed",
        "pull_request_review.submitted",
        "push",
        "status",
        "sub_issues.sub_issue_added",
        "sub_issues.sub_issue_removed",
      ]
    `);
    expect(observer.violations).toEqual([]);
  });
});
