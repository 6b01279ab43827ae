import type { RestEndpointMethodTypes } from "@octokit/rest";
import { isRepoName } from "../../../domain/ids.ts";
import type { RepoName } from "../../../domain/ids.ts";
import { aliasOf } from "../../../domain/markers.ts";
import type { IssueWriter, MadeIssue } from "../../../ports/issue-writer.ts";
import { addCards } from "../boards/add-cards.ts";
import type { CardClient } from "../boards/add-cards.ts";
import { ownerAndRepo } from "../connection/connection.ts";
import { httpFailureOf } from "../connection/github-failure.ts";
import type { RemoteClient } from "../connection/remote-client.ts";

type RestIssue = Pick<
  RestEndpointMethodTypes["issues"]["listForRepo"]["response"]["data"][number],
  "id" | "node_id" | "number" | "body" | "user" | "parent_issue_url" | "repository_url"
>;

export type WritingClient = Pick<RemoteClient, "rest" | "paginate"> & CardClient;

export interface WriterOptions {
  /** Runs one call. Every failure is thrown as an `AppError`. */
  readonly call: <T>(
    repo: RepoName,
    attempted: string,
    work: (client: WritingClient) => Promise<T>,
  ) => Promise<T>;
  /** Returns the login under which the issues appear. */
  readonly login: () => Promise<string>;
  readonly owner: "organization" | "user";
}

export function createIssueWriter({ call, login, owner }: WriterOptions): IssueWriter {
  return {
    findMade: async (repo, since) => {
      const self = await login();
      return call(repo, "look for issues", (client) => findMade(client, { repo, since, self }));
    },
    createIssue: (repo, { labels, ...words }) =>
      call(repo, "open an issue", async (client) => {
        const issue = { ...ownerAndRepo(repo), ...words, labels: [...labels] };
        return madeIssue((await client.rest.issues.create(issue)).data);
      }),
    addSubIssue: (repo, parent, { id, number }) =>
      call(repo, `make #${number} a sub-issue of #${parent}`, (client) => {
        const at = { ...ownerAndRepo(repo), issue_number: parent };
        const add = () => client.rest.issues.addSubIssue({ ...at, sub_issue_id: id });
        return unlessThere(add, async () => {
          const there = { ...at, per_page: 100 };
          const found = await client.paginate(client.rest.issues.listSubIssues, there);
          return found.some((issue) => issue.id === id);
        });
      }),
    blockersOf: (repo, issue) =>
      call(repo, `read what blocks #${issue}`, async (client) =>
        (await blockersOf(client, repo, issue)).map(({ number }) => number),
      ),
    addBlocker: (repo, issue, { id, number }) =>
      call(repo, `block #${issue} by #${number}`, (client) => {
        const at = { ...ownerAndRepo(repo), issue_number: issue };
        const add = () => client.rest.issues.addBlockedByDependency({ ...at, issue_id: id });
        return unlessThere(add, async () =>
          (await blockersOf(client, repo, issue)).some((blocker) => blocker.id === id),
        );
      }),
    addCards: (repo, config, issues) =>
      call(repo, "add cards to the board", (client) =>
        addCards(client, { repo, config, owner, nodes: issues.map(({ nodeId }) => nodeId) }),
      ),
  };
}

/** Finds the issues that we made. An issue that looks like one of ours but was opened by another login is not ours. */
async function findMade(
  client: WritingClient,
  { repo, since, self }: { repo: RepoName; since: number | undefined; self: string },
): Promise<ReadonlyMap<string, MadeIssue>> {
  const listed = await client.paginate(client.rest.issues.listForRepo, {
    ...ownerAndRepo(repo),
    state: "all",
    per_page: 100,
    ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
  });
  const found = new Map<string, MadeIssue>();
  for (const issue of listed) {
    const alias = issue.user?.login === self ? aliasOf(issue.body ?? "") : undefined;
    // The newest comes first, so of two issues with the same alias the older one, the original, is kept.
    if (alias !== undefined) found.set(alias, madeIssue(issue));
  }
  return found;
}

function madeIssue({ id, node_id, number, parent_issue_url: parent, ...at }: RestIssue): MadeIssue {
  const [, owner, name, of] = /\/([^/]+)\/([^/]+)\/issues\/(\d+)$/.exec(parent ?? "") ?? [];
  const isHere = isRepoName(`${owner}/${name}`) && at.repository_url.endsWith(`/${owner}/${name}`);
  return { id, nodeId: node_id, number, ...(isHere ? { parent: Number(of) } : {}) };
}

async function blockersOf(client: WritingClient, repo: RepoName, issue: number) {
  const at = { ...ownerAndRepo(repo), issue_number: issue, per_page: 100 };
  const found = await client.paginate(client.rest.issues.listDependenciesBlockedBy, at);
  return found.filter((one) => one.repository_url.endsWith(`/${repo}`));
}

/** GitHub refuses a relation that exists already with status 422, which it also uses for every other mistake. */
async function unlessThere(
  add: () => Promise<unknown>,
  isThere: () => Promise<boolean>,
): Promise<void> {
  try {
    await add();
  } catch (error) {
    if (httpFailureOf(error)?.status !== 422 || !(await isThere())) throw error;
  }
}
