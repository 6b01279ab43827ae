import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject } from "vitest";
import { addOrganization, addUser } from "../../../local-github/actions/accounts.ts";
import { addRepository } from "../../../local-github/actions/add-repository.ts";
import { createWorld } from "../../../local-github/actions/create-world.ts";
import { installApp, mintToken } from "../../../local-github/actions/installations.ts";
import type { TokenRequest } from "../../../local-github/actions/installations.ts";
import { changeRefs } from "../../../local-github/actions/pulls/change-refs.ts";
import { openPullRequest } from "../../../local-github/actions/pulls/open-pull-request.ts";
import { openIssue } from "../../../local-github/actions/threads/issues.ts";
import { addItem, createProject } from "../../../local-github/actions/threads/projects.ts";
import { writeCommit, writeTree } from "../../../local-github/git/write-commit.ts";
import type { GraphqlAnswer } from "../../../local-github/graphql/answer.ts";
import { executeGraphql } from "../../../local-github/graphql/execute.ts";
import type { GraphqlKnobs } from "../../../local-github/graphql/execute.ts";
import type { WorldEvent } from "../../../local-github/model/event.ts";
import type { Issue } from "../../../local-github/model/issue.ts";
import { findField, findOption } from "../../../local-github/model/project.ts";
import type { FieldOption, Project, ProjectItem } from "../../../local-github/model/project.ts";
import type { PullRequest } from "../../../local-github/model/pull-request.ts";
import type { Repository } from "../../../local-github/model/repository.ts";
import { graphqlViolations } from "../../support/schemas/graphql-validator.ts";

const PERMISSIONS = {
  contents: "write",
  issues: "write",
  pull_requests: "write",
  checks: "write",
  organization_projects: "write",
} as const;

export const NO_FAULTS: GraphqlKnobs = {
  nullBoard: false,
  heaviestQuery: Infinity,
  takeUnknownMergeable: () => false,
  takeStaleRead: () => false,
};

export type SmallWorld = Awaited<ReturnType<typeof smallWorld>>;

/** acme/app with a board of five columns, ada who may write, and the App installed with all that it needs. */
export async function smallWorld() {
  const dataDir = await mkdtemp(join(inject("runFolder"), "small-world-"));
  let nowMs = Date.UTC(2026, 0, 1);
  const world = createWorld({
    app: { id: 7, slug: "wavetrain", name: "Wavetrain", publicKey: "", webhookSecret: "s3cret" },
    dataDir,
    now: () => (nowMs += 1000),
  });
  world.url = "http://127.0.0.1:4000";
  const acme = addOrganization(world, "acme");
  const ada = addUser(world, "ada");
  const app = await addRepository(world, {
    owner: "acme",
    name: "app",
    from: { "README.md": "hello\n" },
    roles: { ada: "write" },
  });
  const columns = ["Backlog", "Ready", "In progress", "In review", "Done"];
  const board = createProject(world, acme, { title: "Work", columns, actor: ada });
  const installation = installApp(world, {
    account: "acme",
    permissions: PERMISSIONS,
    events: [],
    actor: ada,
  });
  const events: WorldEvent[] = [];
  world.listeners.push((event) => events.push(event));
  return { world, acme, ada, app, board, installation, events };
}

/** Asks as the App; every document is held against GitHub's schema first. */
export async function ask(
  { world, installation }: SmallWorld,
  query: string,
  more: {
    readonly variables?: Readonly<Record<string, unknown>>;
    readonly token?: TokenRequest;
    readonly faults?: Partial<GraphqlKnobs>;
  } = {},
): Promise<GraphqlAnswer> {
  const { variables = {} } = more;
  expect(graphqlViolations({ document: query, variables })).toEqual([]);
  const answer = await executeGraphql({
    world,
    faults: { ...NO_FAULTS, ...more.faults },
    token: mintToken(world, installation, more.token ?? {}),
    actor: world.app.bot,
    document: query,
    variables,
  });
  return JSON.parse(JSON.stringify(answer)) as GraphqlAnswer;
}

/** As `ask`, for questions that must not fail. */
export async function data(...question: Parameters<typeof ask>): Promise<unknown> {
  const answer = await ask(...question);
  expect(answer.errors).toBeUndefined();
  return answer.data;
}

export function card(
  { world, app, board, ada }: SmallWorld,
  title: string,
): { readonly issue: Issue; readonly item: ProjectItem } {
  const issue = openIssue(world, app, { title, body: `${title}, please`, actor: ada });
  return { issue, item: addItem(world, board, { content: issue, actor: ada }) };
}

export function option(board: Project, name: string): FieldOption {
  return findOption(findField(board, "Status")!, name)!;
}

export async function commitOn(
  { world, ada }: SmallWorld,
  repository: Repository,
  commit: {
    readonly branch: string;
    readonly from: string;
    readonly files: Readonly<Record<string, string>>;
  },
): Promise<string> {
  const parent = repository.refs.get(`refs/heads/${commit.from}`)!;
  const signature = { name: "ada", email: "ada@example.org", date: "2026-01-01T00:00:00Z" };
  const sha = await writeCommit(repository.dir, {
    tree: await writeTree(repository.dir, parent, commit.files),
    parents: [parent],
    message: `Change ${Object.keys(commit.files).join(", ")}`,
    author: signature,
    committer: signature,
  });
  const change = { name: `refs/heads/${commit.branch}`, after: sha };
  await changeRefs(world, repository, { changes: [change], actor: ada });
  return sha;
}

export async function pullRequest(
  small: SmallWorld,
  branch: string,
  body = "",
): Promise<PullRequest> {
  const files = { [`${branch}.txt`]: branch };
  await commitOn(small, small.app, { branch, from: "main", files });
  return openPullRequest(small.world, small.app, {
    title: `Add ${branch}`,
    body,
    head: branch,
    base: "main",
    actor: small.world.app.bot,
  });
}
