import { describe, expect, it } from "vitest";
import { agreeToManifest } from "../../local-github/actions/app-manifests.ts";
import { rerequestCheckRun } from "../../local-github/actions/checks.ts";
import {
  closePullRequest,
  reopenPullRequest,
  setDraft,
} from "../../local-github/actions/pulls/pull-state.ts";
import {
  archiveItem,
  createField,
  deleteItem,
  moveItem,
  setFieldValue,
} from "../../local-github/actions/threads/projects.ts";
import { endJob } from "../../local-github/actions/workflow-jobs.ts";
import { findRoute, ROUTES } from "../../local-github/rest/find-route.ts";
import { findOperation } from "../support/schemas/find-operation.ts";
import { createTown } from "./town.ts";
import type { Town } from "./town.ts";

interface Tour {
  readonly town: Town;
  readonly token: string;
  /** Routes that were asked, as `GET /app`. */
  readonly asked: Set<string>;
}

type Json = Record<string, unknown> & { id: number; number: number; sha: string; token: string };

/** A request that must succeed: `GET /app`. */
async function call(tour: Tour, request: string, body?: unknown): Promise<Json> {
  const [method = "", path = ""] = request.split(" ");
  const route = findRoute(method, path.replace(/\?.*/, ""))?.route;
  if (route) tour.asked.add(`${method} ${route.template}`);
  const auth = route?.for === "app" ? tour.town.jwt() : tour.token;
  const reply = await tour.town.ask(method, path, { auth, body });
  expect([request, reply.status < 300, reply.body]).toEqual([request, true, reply.body]);
  return reply.body as Json;
}

async function askAboutApp(tour: Tour): Promise<void> {
  await call(tour, "GET /app");
  await call(tour, "GET /app/hook/config");
  const [installation] = (await call(tour, "GET /app/installations")) as unknown as Json[];
  const at = `/app/installations/${installation!.id}`;
  await call(tour, `GET ${at}`);
  await call(tour, "GET /repos/acme/app/installation");
  await call(tour, "GET /orgs/acme/installation");
  await call(tour, `POST ${at}/access_tokens`, { repositories: ["app"] });
  await call(tour, "GET /installation/repositories");
  await call(tour, "GET /rate_limit");
  await call(tour, `GET /users/${encodeURIComponent(tour.town.github.world.app.bot.login)}`);
  await call(tour, "GET /orgs/acme/projectsV2/1/items");
}

/** After everything that the App itself asks: a new App takes the old one's place. */
async function askForApp(tour: Tour): Promise<void> {
  const { world } = tour.town.github;
  const manifest = { name: "Other", webhookUrl: null, permissions: {}, events: [] };
  const code = agreeToManifest(world, { ...manifest, owner: world.app.owner });
  await call(tour, `POST /app-manifests/${code}/conversions`);
}

async function askAboutIssues(tour: Tour): Promise<void> {
  const at = "/repos/acme/app";
  await call(tour, `POST ${at}/labels`, { name: "bug", color: "ff0000" });
  await call(tour, `GET ${at}/labels`);
  await call(tour, `GET ${at}/labels/bug`);
  const issues: Json[] = [];
  for (const title of ["One", "Two"]) {
    issues.push(await call(tour, `POST ${at}/issues`, { title, body: "text", labels: ["bug"] }));
  }
  const [one, two] = issues.map(({ number }) => `${at}/issues/${number}`);
  await call(tour, `PATCH ${one!}`, { title: "First" });
  await call(tour, `GET ${one!}`);
  await call(tour, `GET ${at}/issues?state=all&labels=bug&per_page=5`);
  await call(tour, `GET ${one!}/labels`);
  await call(tour, `POST ${one!}/labels`, { labels: ["ready"] });
  await call(tour, `PUT ${one!}/labels`, { labels: ["bug", "ready"] });
  await call(tour, `DELETE ${one!}/labels/ready`);
  const comment = await call(tour, `POST ${one!}/comments`, { body: "hello" });
  await call(tour, `GET ${one!}/comments`);
  await call(tour, `GET ${at}/issues/comments/${comment.id}`);
  await call(tour, `PATCH ${at}/issues/comments/${comment.id}`, { body: "hello!" });
  await relate(tour, { one: one!, two: two!, ids: issues.map(({ id }) => id) });
  await call(tour, `PATCH ${one!}`, { state: "closed", state_reason: "completed" });
  await call(tour, `PATCH ${one!}`, { state: "open" });
  await call(tour, `GET ${one!}/timeline`);
  await call(tour, `POST ${at}/issues/comments/${comment.id}/reactions`, { content: "+1" });
  await call(tour, `DELETE ${at}/issues/comments/${comment.id}`);
}

async function relate(
  tour: Tour,
  { one, two, ids }: { readonly one: string; readonly two: string; readonly ids: number[] },
): Promise<void> {
  const [oneId] = ids;
  await call(tour, `POST ${two}/dependencies/blocked_by`, { issue_id: oneId });
  await call(tour, `GET ${two}/dependencies/blocked_by`);
  await call(tour, `GET ${one}/dependencies/blocking`);
  await call(tour, `DELETE ${two}/dependencies/blocked_by/${oneId!}`);
  await call(tour, `POST ${two}/sub_issues`, { sub_issue_id: oneId });
  await call(tour, `GET ${two}/sub_issues`);
  await call(tour, `GET ${one}/parent`);
  await call(tour, `DELETE ${two}/sub_issue`, { sub_issue_id: oneId });
}

async function askAboutCode(tour: Tour): Promise<void> {
  const at = "/repos/acme/app";
  await call(tour, `GET ${at}`);
  await call(tour, `GET ${at}/contents/README.md`);
  await call(tour, `GET ${at}/readme`);
  await call(tour, `GET ${at}/collaborators/alice/permission`);
  await call(tour, `GET ${at}/branches`);
  await call(tour, `GET ${at}/branches/main`);
  await call(tour, `GET ${at}/rules/branches/main`);
  const { sha } = await call(tour, `GET ${at}/commits/main`);
  await call(tour, `POST ${at}/git/refs`, { ref: "refs/heads/a/b", sha });
  await call(tour, `GET ${at}/git/ref/heads/a/b`);
  await call(tour, `GET ${at}/git/matching-refs/heads/a`);
  await call(tour, `PATCH ${at}/git/refs/heads/a/b`, { sha, force: true });
  await call(tour, `DELETE ${at}/git/refs/heads/a/b`);
  const checks = `${at}/check-runs`;
  const run = await call(tour, `POST ${checks}`, { name: "verify", head_sha: sha });
  await call(tour, `GET ${checks}/${run.id}`);
  const output = { title: "Verified", summary: "All is well" };
  await call(tour, `PATCH ${checks}/${run.id}`, {
    status: "completed",
    conclusion: "success",
    output,
  });
  await call(tour, `GET ${checks}/${run.id}/annotations`);
  await askAboutJobs(tour, sha);
  await call(tour, `GET ${at}/commits/${sha}/check-runs`);
  await call(tour, `POST ${at}/statuses/${sha}`, { state: "success", context: "ci" });
  await call(tour, `GET ${at}/commits/${sha}/status`);
}

async function askAboutJobs(tour: Tour, headSha: string): Promise<void> {
  const { github, app } = tour.town;
  const steps = [{ name: "Run true", lines: ["##[group]Run true"] }];
  const { run } = endJob(github.world, app, { name: "test", headSha, steps });
  await call(tour, `GET /repos/acme/app/actions/jobs/${run.id}`);
  await call(tour, `GET /repos/acme/app/actions/jobs/${run.id}/logs`);
}

async function askAboutPulls(tour: Tour): Promise<void> {
  const at = "/repos/acme/app";
  const { github, app: repository } = tour.town;
  const alice = github.as("alice");
  for (const branch of ["feature", "other"]) {
    await alice.push(repository, branch, { files: { [`${branch}.txt`]: "x" }, message: branch });
  }
  const wanted = { title: "Feature", head: "feature", base: "main", body: "Closes #1" };
  const pull = await call(tour, `POST ${at}/pulls`, wanted);
  const self = `${at}/pulls/${pull.number}`;
  await call(tour, `GET ${self}`);
  await call(tour, `GET ${at}/pulls?state=open`);
  await call(tour, `PATCH ${self}`, { title: "A feature" });
  await call(tour, `GET ${self}/commits`);
  await call(tour, `GET ${self}/files`);
  await alice.push(repository, "main", { files: { "main.txt": "x" }, message: "main" });
  await call(tour, `PUT ${self}/update-branch`, {});
  const review = await call(tour, `POST ${self}/reviews`, { event: "COMMENT", body: "hm" });
  expect(review.id).toBeTypeOf("number");
  const opened = [...github.world.threads.values()].find(({ number }) => number === pull.number);
  if (opened?.kind !== "pull-request") throw new Error("the pull request is not there");
  const approval = alice.approve(opened);
  await call(tour, `GET ${self}/reviews`);
  await call(tour, `GET ${self}/comments`);
  await call(tour, `PUT ${self}/reviews/${approval.id}/dismissals`, { message: "stale" });
  alice.label(opened, "bug");
  alice.comment(opened, "nice");
  const { head } = (await call(tour, `GET ${self}`)) as unknown as { head: { sha: string } };
  await call(tour, `PUT ${self}/merge`, { sha: head.sha, merge_method: "squash" });
  await call(tour, `GET ${self}/merge`);
  await call(tour, `GET ${at}/issues/${pull.number}`);
  const draft = await alice.openPullRequest(repository, { title: "D", head: "other", draft: true });
  await call(tour, `GET ${at}/pulls/${draft.number}`);
  alice.closePullRequest(draft);
}

/** What people do that no route does, so that its webhooks are seen too. */
async function changeMore(tour: Tour): Promise<void> {
  const { github, board, app: repository } = tour.town;
  const { world } = github;
  const alice = github.as("alice");
  const actor = alice.user;
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
  alice.press(run!, "retry");
  const pull = [...world.threads.values()].find((thread) => thread.kind === "pull-request")!;
  alice.unlabel(pull, "bug");
  await alice.push(repository, "third", { files: { "third.txt": "x" }, message: "third" });
  const third = await alice.openPullRequest(repository, { title: "Third", head: "third" });
  setDraft(world, third, { draft: true, actor });
  setDraft(world, third, { draft: false, actor });
  closePullRequest(world, third, actor);
  reopenPullRequest(world, third, actor);
  await call(tour, "DELETE /repos/acme/app/git/refs/heads/third");
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

async function askInVain({ town, token }: Tour): Promise<void> {
  const status = async (auth: string, request: string, body?: unknown): Promise<number> => {
    const [method = "", path = ""] = request.split(" ");
    return (await town.ask(method, path, { auth, body })).status;
  };
  for (const [expected, request, body] of REFUSALS) {
    expect([request, await status(token, request, body)]).toEqual([request, expected]);
  }
  expect(await status("wrong", "GET /repos/acme/app")).toBe(401);
  expect(await status(token, "GET /app")).toBe(401);
  const narrow = await town.token({ permissions: { metadata: "read" } });
  expect(await status(narrow, "POST /repos/acme/app/issues", { title: "x" })).toBe(403);
  const tokens = `POST /app/installations/${town.installation.id}/access_tokens`;
  const permissions = { administration: "read" };
  expect(await status(town.jwt(), tokens, { permissions })).toBe(422);
  const { faults } = town.github;
  faults.answer({ matches: ({ path }) => path.endsWith("/merge"), status: 405, message: "no" });
  expect(await status(token, "PUT /repos/acme/app/pulls/5/merge")).toBe(405);
  faults.secondaryLimit({ retryAfterSeconds: 1 });
  expect(await status(token, "GET /repos/acme/app")).toBe(403);
}

async function askAboutDeliveries(tour: Tour): Promise<void> {
  await tour.town.github.deliverySettled();
  const list = await call(tour, "GET /app/hook/deliveries?per_page=5");
  const [delivery] = list as unknown as Json[];
  await call(tour, `GET /app/hook/deliveries/${delivery!.id}`);
  await call(tour, `POST /app/hook/deliveries/${delivery!.id}/attempts`);
  await tour.town.github.deliverySettled();
}

describe("every route", () => {
  it("is in GitHub's description", () => {
    const unknown = ROUTES.filter(
      ({ method, template }) => findOperation(method, template)?.name !== `${method} ${template}`,
    );
    expect(unknown.map(({ template }) => template)).toEqual([]);
  });

  // About a hundred requests, many of which start git.
  const timeout = 120_000;
  it(
    "is asked here, and what it hears, says and sends fits GitHub's description",
    { timeout },
    async () => {
      const town = await createTown();
      const { github, board, app } = town;
      github.addRule(app, { type: "non_fast_forward", branch: "main" });
      const tour: Tour = { town, token: await town.token(), asked: new Set() };
      await askAboutApp(tour);
      github.addProject({ org: "alice", title: "Mine", columns: ["Ready"] });
      const { token } = github.addClassicToken("alice", ["project"]);
      await call({ ...tour, token }, "GET /users/alice/projectsV2/1/items");
      await call({ ...tour, token }, "GET /user");
      await askAboutIssues(tour);
      const [issue] = [...github.world.threads.values()];
      github.addCard(board, issue!, "Ready");
      github.as("alice").moveCard(issue!, "Done");
      await askAboutCode(tour);
      await askAboutPulls(tour);
      await changeMore(tour);
      await askInVain(tour);
      await askAboutDeliveries(tour);
      await askForApp(tour);
      await call(tour, "DELETE /installation/token");
      const routes = ROUTES.map(({ method, template }) => `${method} ${template}`);
      expect(routes.filter((route) => !tour.asked.has(route))).toEqual([]);
      expect([...new Set(town.names())].toSorted()).toMatchInlineSnapshot(`
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
        "issue_dependencies.blocking_added",
        "issue_dependencies.blocking_removed",
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
        "sub_issues.parent_issue_added",
        "sub_issues.parent_issue_removed",
        "sub_issues.sub_issue_added",
        "sub_issues.sub_issue_removed",
      ]
    `);
      expect(town.observer.violations).toEqual([]);
    },
  );
});
