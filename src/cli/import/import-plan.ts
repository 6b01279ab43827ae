import { createRemoteBoard } from "../../adapters/github/boards/read-remote-board.ts";
import type { RemoteRepository } from "../../adapters/github/boards/read-remote-board.ts";
import { createRemoteClient } from "../../adapters/github/connection/remote-client.ts";
import type { RemoteAccess } from "../../adapters/github/connection/remote-client.ts";
import { createIssueWriter } from "../../adapters/github/writing/issue-writer.ts";
import { problemLine } from "../../config/read/config-problem.ts";
import { namesProject } from "../../config/repository/board-kind.ts";
import { readRepoConfig, REPO_CONFIG_PATH } from "../../config/repository/read-repo-config.ts";
import type { RepoConfig } from "../../config/schema/repo-config.ts";
import type { RepoName } from "../../domain/ids.ts";
import { createIssues } from "../../objectives/proposal/create-issues.ts";
import type {
  Journal,
  OrderProgress,
  IssueOrder,
} from "../../objectives/proposal/create-issues.ts";
import type { IssueWriter, MadeIssue } from "../../ports/issue-writer.ts";
import { fail, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import type { ReadPlan } from "../input/read-plan-file.ts";
import { ordersOfPlan } from "./orders-of-plan.ts";

export interface ImportedIssue extends Pick<
  IssueOrder,
  "alias" | "title" | "labels" | "parent" | "dependsOn"
> {
  /** It is undefined for an issue that would be opened. */
  readonly number: number | undefined;
  readonly state: "opened" | "found" | "would-open";
}

export interface ImportRequest {
  readonly repo: RepoName;
  readonly plan: ReadPlan;
  readonly dryRun: boolean;
  readonly tell: (issue: ImportedIssue) => void;
}

/** Opens the issues that are not there yet. A failure has lines about the plan or the repository's configuration. */
export async function importPlan(
  access: RemoteAccess,
  { repo: given, plan, dryRun, tell }: ImportRequest,
): Promise<Result<readonly ImportedIssue[], readonly string[]>> {
  const remote = await createRemoteBoard(access).readRepository(given);
  const config = await readConfig(access, remote);
  if (!config.ok) return config;
  const orders = ordersOfPlan(plan, config.value);
  if (!orders.ok) return orders;
  const writer = createWriter(access, remote);
  const found = await writer.findMade(remote.repo);
  if (dryRun) return ok(preview(orders.value, found, tell));
  const opened: string[] = [];
  const made = await createIssues(orders.value, {
    repo: remote.repo,
    writer,
    journal: journalOf(found),
    since: undefined,
    most: Infinity,
    tell: (order, issue) => {
      opened.push(order.alias);
      tell(imported(order, issue, "opened"));
    },
  });
  // Cards are added for all tasks: an earlier import may have been broken off before this, and a card that is there stays where it is.
  const tasks = orders.value.filter(({ parent }) => parent !== undefined);
  await writer.addCards(
    remote.repo,
    config.value,
    tasks.flatMap(({ alias }) => made?.get(alias) ?? []),
  );
  return ok(
    orders.value.map((order) =>
      imported(order, made?.get(order.alias), opened.includes(order.alias) ? "opened" : "found"),
    ),
  );
}

async function readConfig(
  access: RemoteAccess,
  { repo, owner }: RemoteRepository,
): Promise<Result<RepoConfig, readonly string[]>> {
  const text = (await createRemoteBoard(access).readFile(repo, REPO_CONFIG_PATH)) ?? "";
  const read = readRepoConfig(text);
  if (!read.ok) return fail(read.error.map(problemLine));
  const { board } = read.value;
  const usesLabels = board.kind === undefined && owner === "user" && !namesProject(text);
  return ok(usesLabels ? { ...read.value, board: { ...board, kind: "labels" } } : read.value);
}

function createWriter(access: RemoteAccess, { owner }: RemoteRepository): IssueWriter {
  const client = createRemoteClient(access);
  const { rest, paginate } = client;
  const query = <T>(document: string, variables: Record<string, unknown>): Promise<T> =>
    client.query<T>(document, variables);
  return createIssueWriter({
    owner,
    call: (_repo, attempted, work) =>
      client.attempt(attempted, () => work({ rest, paginate, query })),
    login: () =>
      client.attempt("read whose token it is", async () => {
        const { viewer } = await query<{ readonly viewer: { readonly login: string } }>(
          "query Viewer { viewer { login } }",
          {},
        );
        return viewer.login;
      }),
  });
}

function preview(
  orders: readonly IssueOrder[],
  found: ReadonlyMap<string, MadeIssue>,
  tell: (issue: ImportedIssue) => void,
): readonly ImportedIssue[] {
  return orders.map((order) => {
    const known = found.get(order.alias);
    const issue = imported(order, known, known === undefined ? "would-open" : "found");
    if (known === undefined) tell(issue);
    return issue;
  });
}

function imported(
  { alias, title, labels, parent, dependsOn }: IssueOrder,
  issue: MadeIssue | undefined,
  state: ImportedIssue["state"],
): ImportedIssue {
  return { alias, title, labels, parent, dependsOn, number: issue?.number, state };
}

/** Knows only what GitHub shows: an import that was broken off is simply started again. */
function journalOf(found: ReadonlyMap<string, MadeIssue>): Journal {
  const known = new Map<string, OrderProgress>(
    [...found].map(([alias, issue]) => [alias, { state: "made", issue }]),
  );
  return {
    read: (alias) => Promise.resolve(known.get(alias)),
    write: (alias, progress) => {
      known.set(alias, progress);
      return Promise.resolve();
    },
  };
}
