import type { RepoConfig } from "../../config/schema.ts";
import type { Card, Issue, IssueRef, IssueState } from "../../domain/board.ts";
import { repoName } from "../../domain/ids.ts";
import type { RepoName } from "../../domain/ids.ts";
import { AppError } from "../../shared/app-error.ts";
import { cardsOf, nullIfHidden, pageVariables, readBoardPages } from "./board-pages.ts";
import type { BoardRequest } from "./board-pages.ts";
import { ownerAndRepo } from "./connection.ts";
import { readingQuery } from "./reading-query.ts";
import type { ReadingPage } from "./reading-nodes.ts";
import type { ProjectOwner } from "./reading-query.ts";
import { createRemoteClient } from "./remote-client.ts";
import type { RemoteAccess, RemoteClient } from "./remote-client.ts";
import { issueFromRest, stateFromRest } from "./rest-issue.ts";

export interface RemoteRepository {
  /** As GitHub spells it, also when it was renamed. */
  readonly repo: RepoName;
  readonly owner: ProjectOwner;
}

/** What a plan needs of a repository, read without being installed on it. */
export interface RemoteBoard {
  readRepository(repo: RepoName): Promise<RemoteRepository>;
  /** From the default branch; undefined when there is no such file. */
  readFile(repo: RepoName, path: string): Promise<string | undefined>;
  /** The cards of the owner's project that are issues of the repository. */
  readCards(of: RemoteRepository, board: RepoConfig["board"]): Promise<readonly Card[]>;
  /** Open issues, with the label if one is given. */
  readIssues(repo: RepoName, label: string | undefined): Promise<readonly Issue[]>;
  /** Undefined when there is no such issue, or none that the token may see. */
  readState(issue: IssueRef): Promise<IssueState | undefined>;
}

const LACKING: Readonly<Record<ProjectOwner, string>> = {
  organization: "the token lacks read access to the organization's projects",
  user: "the token lacks the scope read:project, which only a classic token has",
};

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
  const query = readingQuery(owner);
  const { items } = await readBoardPages(
    (cursor) => nullIfHidden(client.query<ReadingPage>(query, { ...variables, ...cursor })),
    request,
  );
  return cardsOf(items, request);
}

async function readIssues(client: RemoteClient, repo: RepoName, label: string | undefined) {
  const listed = await client.paginate(client.rest.issues.listForRepo, {
    ...ownerAndRepo(repo),
    ...(label !== undefined && { labels: label }),
    state: "open",
    per_page: 100,
  });
  const issues: Issue[] = [];
  // One after the other: a burst of calls meets GitHub's secondary limits.
  for (const issue of listed.filter((one) => one.pull_request === undefined)) {
    issues.push(await issueFromRest(client, issue));
  }
  return issues;
}

async function readState(client: RemoteClient, { repo, number }: IssueRef): Promise<IssueState> {
  const { data } = await client.rest.issues.get({ ...ownerAndRepo(repo), issue_number: number });
  return stateFromRest(data);
}
