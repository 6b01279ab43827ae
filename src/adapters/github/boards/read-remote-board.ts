import type { RestEndpointMethodTypes } from "@octokit/rest";
import type { RepoConfig } from "../../../config/schema/repo-config.ts";
import type { Card, DependencyIssue, Issue, IssueRef, IssueState } from "../../../domain/board.ts";
import { nameOf, ownerOf, repoName } from "../../../domain/ids.ts";
import type { RepoName } from "../../../domain/ids.ts";
import { AppError } from "../../../shared/app-error.ts";
import { ownerAndRepo } from "../connection/connection.ts";
import { Portion } from "../connection/portion.ts";
import { createRemoteClient } from "../connection/remote-client.ts";
import type { RemoteAccess, RemoteClient } from "../connection/remote-client.ts";
import { readingQuery } from "../reading/board-query.ts";
import type { ProjectOwner } from "../reading/board-query.ts";
import type { Query } from "../reading/long-lists.ts";
import type { ReadingPage } from "../reading/reading-nodes.ts";

import {
  cardsOf,
  LARGEST_PAGE,
  nullIfHidden,
  pageVariables,
  readBoardPages,
} from "./board-pages.ts";
import type { BoardRequest, Cursor } from "./board-pages.ts";

export interface RemoteRepository {
  /** It is the name that GitHub uses now, even if the repository was renamed. */
  readonly repo: RepoName;
  readonly owner: ProjectOwner;
}

/** Reads what a plan needs of a repository on which the app is not installed. */
export interface RemoteBoard {
  readRepository(repo: RepoName): Promise<RemoteRepository>;
  /** Reads a file of the default branch. It returns undefined when there is no such file. */
  readFile(repo: RepoName, path: string): Promise<string | undefined>;
  /** Reads the cards of the owner's project that are issues of the repository. */
  readCards(of: RemoteRepository, board: RepoConfig["board"]): Promise<readonly Card[]>;
  /** Reads the open issues. If a label is given, it reads only those that have it. */
  readIssues(repo: RepoName, label: string | undefined): Promise<readonly Issue[]>;
  /** Returns undefined when there is no such issue, or when the token may not see it. */
  readState(issue: IssueRef): Promise<IssueState | undefined>;
}

const LACKING: Readonly<Record<ProjectOwner, string>> = {
  organization: "the token lacks read access to the organization's projects",
  user: "the token lacks the scope read:project, which only a classic token has",
};

type RestIssue = RestEndpointMethodTypes["issues"]["listForRepo"]["response"]["data"][number];

type StatedIssue = Pick<RestIssue, "state" | "state_reason" | "pull_request">;

export function createRemoteBoard(access: RemoteAccess): RemoteBoard {
  const client = createRemoteClient(access);
  return {
    readRepository: (repo) => readRepository(client, repo),
    readFile: (repo, path) => client.find(`read ${path}`, () => readFile(client, repo, path)),
    readCards: (of, board) => client.attempt("read the board", () => readCards(client, of, board)),
    readIssues: (repo, label) =>
      client.attempt("list the issues", () => readIssues(client, repo, label)),
    readState: (issue) =>
      client.find(`read issue ${issue.repo}#${issue.number}`, () => readState(client, issue)),
  };
}

async function readRepository(client: RemoteClient, repo: RepoName): Promise<RemoteRepository> {
  const read = () => client.rest.repos.get(ownerAndRepo(repo));
  const found = await client.find(`read ${repo}`, read);
  if (found === undefined) {
    const reason = "there is no such repository, or the token may not see it";
    throw new AppError("github-refused", `cannot read ${repo}: ${reason}`);
  }
  const owner = found.data.owner.type === "Organization" ? "organization" : "user";
  return { repo: repoName(found.data.full_name), owner };
}

async function readFile(client: RemoteClient, repo: RepoName, path: string) {
  const { data } = await client.rest.repos.getContent({ ...ownerAndRepo(repo), path });
  if (Array.isArray(data) || data.type !== "file") return undefined;
  return Buffer.from(data.content, "base64").toString("utf8");
}

async function readCards(
  client: RemoteClient,
  { repo, owner }: RemoteRepository,
  board: RepoConfig["board"],
): Promise<readonly Card[]> {
  const request: BoardRequest = { repo, board, lacking: LACKING[owner], withPulls: false };
  const variables = pageVariables(repo, board);
  const query: Query = (document, asked) => client.query(document, asked);
  const portion = new Portion(LARGEST_PAGE, () => 0);
  const readPage = (cursor: Cursor): Promise<ReadingPage> =>
    portion.ask((size) =>
      nullIfHidden(query<ReadingPage>(readingQuery(owner), { ...variables, ...cursor, size })),
    );
  const { content } = await readBoardPages({ query, readPage }, request);
  return cardsOf(content.items, request);
}

async function readIssues(client: RemoteClient, repo: RepoName, label: string | undefined) {
  const listed = await client.paginate(client.rest.issues.listForRepo, {
    ...ownerAndRepo(repo),
    ...(label !== undefined && { labels: label }),
    state: "open",
    per_page: 100,
  });
  const issues: Issue[] = [];
  // The issues are read one after the other, because a burst of calls runs into GitHub's secondary limits.
  for (const issue of listed.filter((one) => one.pull_request === undefined)) {
    issues.push(await issueFromRest(client, issue));
  }
  return issues;
}

async function readState(client: RemoteClient, { repo, number }: IssueRef): Promise<IssueState> {
  const { data } = await client.rest.issues.get({ ...ownerAndRepo(repo), issue_number: number });
  return stateFromRest(data);
}

/** Reads an issue with its relations. Each kind of relation that it has costs a call. */
async function issueFromRest(client: RemoteClient, issue: RestIssue): Promise<Issue> {
  return {
    ...refOf(issue),
    nodeId: issue.node_id,
    title: issue.title,
    body: issue.body ?? "",
    state: stateFromRest(issue),
    labels: labelsOf(issue),
    blockedBy: (await blockersOf(client, issue)).map(dependencyOf),
    parent: await parentOf(client, issue),
  };
}

function refOf(issue: Pick<RestIssue, "repository_url" | "number">): IssueRef {
  const [owner = "", name = ""] = issue.repository_url.split("/").slice(-2);
  return { repo: repoName(`${owner}/${name}`), number: issue.number };
}

/** An issue may be blocked by a pull request, which is done when it was merged. */
function stateFromRest(issue: StatedIssue): IssueState {
  if (issue.state === "open") return "open";
  if (issue.pull_request) return issue.pull_request.merged_at ? "completed" : "not-planned";
  const reason: string | null | undefined = issue.state_reason;
  return reason === "not_planned" || reason === "duplicate" ? "not-planned" : "completed";
}

function labelsOf({ labels }: Pick<RestIssue, "labels">): readonly string[] {
  return labels.flatMap((label) => (typeof label === "string" ? label : (label.name ?? [])));
}

async function blockersOf(client: RemoteClient, issue: RestIssue): Promise<readonly RestIssue[]> {
  if (issue.issue_dependencies_summary?.total_blocked_by === 0) return [];
  const wanted = { ...addressOf(issue), per_page: 100 };
  return client.paginate(client.rest.issues.listDependenciesBlockedBy, wanted);
}

function dependencyOf(blocker: RestIssue): DependencyIssue {
  return { ...refOf(blocker), state: stateFromRest(blocker) };
}

async function parentOf(client: RemoteClient, issue: RestIssue): Promise<Issue["parent"]> {
  if (typeof issue.parent_issue_url !== "string") return undefined;
  const { data } = await client.rest.issues.getParent(addressOf(issue));
  const blockers = await blockersOf(client, data);
  // A parent may be blocked by its own sub-issues. They inherit its blockers, so each would wait for the others.
  const foreign = blockers.filter((blocker) => blocker.parent_issue_url !== data.url);
  return { ...refOf(data), labels: labelsOf(data), blockedBy: foreign.map(dependencyOf) };
}

function addressOf(issue: RestIssue) {
  const { repo, number } = refOf(issue);
  return { owner: ownerOf(repo), repo: nameOf(repo), issue_number: number };
}
