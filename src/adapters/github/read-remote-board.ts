import { graphql, GraphqlResponseError } from "@octokit/graphql";
import { Octokit } from "@octokit/rest";
import type { RepoConfig } from "../../config/schema.ts";
import type { Card, ColumnRole, Issue, IssueRef, IssueState } from "../../domain/board.ts";
import { nameOf, ownerOf } from "../../domain/ids.ts";
import type { RepoName } from "../../domain/ids.ts";
import { AppError } from "../../shared/app-error.ts";
import { classify, httpFailureOf } from "./classify.ts";
import { cardFromItem, present } from "./parse-reading.ts";
import { READING_QUERY } from "./reading-query.ts";
import type { ItemNode, ReadingPage } from "./reading-query.ts";
import { issueFromRest, stateFromRest } from "./rest-issue.ts";

/** A person's or an app's token; without one only labelled issues of public repositories can be read. */
export interface RemoteAccess {
  readonly apiUrl: string;
  readonly token: string | undefined;
}

/** What a plan needs of a repository, read without being installed on it. */
export interface RemoteBoard {
  /** Undefined when there is no such file. */
  readFile(repo: RepoName, path: string): Promise<string | undefined>;
  /** The cards of the organization's project that are issues of the repository. */
  readCards(repo: RepoName, board: RepoConfig["board"]): Promise<readonly Card[]>;
  readLabelled(repo: RepoName, label: string): Promise<readonly Issue[]>;
  /** Undefined when there is no such issue, or none that the token may see. */
  readState(issue: IssueRef): Promise<IssueState | undefined>;
}

/** A missing file is no news: Octokit would print a line for it. */
const ignore = (): undefined => undefined;
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

export function createRemoteBoard({ apiUrl, token }: RemoteAccess): RemoteBoard {
  const rest = new Octokit({
    baseUrl: apiUrl,
    log: SILENT,
    ...(token !== undefined && { auth: token }),
  });
  const query = graphql.defaults({
    baseUrl: apiUrl,
    headers: token === undefined ? {} : { authorization: `token ${token}` },
  });
  return {
    readFile: (repo, path) => absent(() => readFile(rest, repo, path), `read ${path}`),
    readCards: (repo, board) => attempt(() => readCards(query, repo, board), "read the board"),
    readLabelled: (repo, label) =>
      attempt(() => readLabelled(rest, repo, label), "list the issues"),
    readState: (issue) => absent(() => readState(rest, issue), `read issue ${issue.number}`),
  };
}

async function attempt<T>(work: () => Promise<T>, attempted: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw classify(error, attempted);
  }
}

/** What is not there is undefined; everything else that goes wrong is an error. */
async function absent<T>(work: () => Promise<T>, attempted: string): Promise<T | undefined> {
  return attempt(async () => {
    try {
      return await work();
    } catch (error) {
      const status = httpFailureOf(error)?.status;
      if (status === 404 || status === 410) return undefined;
      throw error;
    }
  }, attempted);
}

function addressOf(repo: RepoName): { readonly owner: string; readonly repo: string } {
  return { owner: ownerOf(repo), repo: nameOf(repo) };
}

async function readFile(rest: Octokit, repo: RepoName, path: string): Promise<string | undefined> {
  const { data } = await rest.rest.repos.getContent({ ...addressOf(repo), path });
  if (Array.isArray(data) || data.type !== "file") return undefined;
  return Buffer.from(data.content, "base64").toString("utf8");
}

async function readCards(
  query: typeof graphql,
  repo: RepoName,
  board: RepoConfig["board"],
): Promise<readonly Card[]> {
  const columns = Object.entries(board.columns) as [ColumnRole, string][];
  const roles = new Map(columns.map(([role, column]) => [column, role]));
  const items: ItemNode[] = [];
  let after: string | null = null;
  do {
    const page = await readPage(query, { repo, board, after });
    const list = page?.organization?.projectV2?.items;
    if (list === undefined) throw unreadable(repo, board.project);
    items.push(...present(list.nodes));
    after = list.pageInfo.hasNextPage ? list.pageInfo.endCursor : null;
  } while (after !== null);
  return items
    .flatMap((item) => cardFromItem(item, (column) => roles.get(column)) ?? [])
    .filter((card) => card.issue.repo === repo);
}

interface PageRequest {
  readonly repo: RepoName;
  readonly board: RepoConfig["board"];
  readonly after: string | null;
}

/** Undefined when GraphQL says that the project or its owner is not there. */
async function readPage(query: typeof graphql, request: PageRequest) {
  const { repo, board, after } = request;
  try {
    return await query<ReadingPage>(READING_QUERY, {
      owner: ownerOf(repo),
      name: nameOf(repo),
      project: board.project,
      field: board.statusField,
      after,
      withPulls: false,
    });
  } catch (error) {
    if (!(error instanceof GraphqlResponseError)) throw error;
    const [first] = error.errors ?? [];
    if (first?.type === "NOT_FOUND") return undefined;
    const said = first?.message ?? "GraphQL refused the query";
    throw new AppError("github-refused", `cannot read the board: ${said}`, { cause: error });
  }
}

/** A missing permission shows as null, not as an error: it must never look like an empty board. */
function unreadable(repo: RepoName, project: number): AppError {
  return new AppError(
    "board-unreadable",
    `project ${project} of ${ownerOf(repo)} cannot be read: it does not exist, or the token lacks access to the organization's projects`,
  );
}

async function readLabelled(rest: Octokit, repo: RepoName, label: string) {
  const wanted = { ...addressOf(repo), labels: label, state: "open", per_page: 100 } as const;
  const listed = await rest.paginate(rest.rest.issues.listForRepo, wanted);
  const issues: Issue[] = [];
  // One after the other: a burst of calls meets GitHub's secondary limits.
  for (const issue of listed.filter((one) => one.pull_request === undefined)) {
    issues.push(await issueFromRest(rest, issue));
  }
  return issues;
}

async function readState(rest: Octokit, { repo, number }: IssueRef): Promise<IssueState> {
  const { data } = await rest.rest.issues.get({ ...addressOf(repo), issue_number: number });
  return stateFromRest(data);
}
