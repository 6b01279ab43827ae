import type { DependencyIssue, IssueState } from "../../../domain/board.ts";
import { repoName } from "../../../domain/ids.ts";
import type { RepoName, TaskId } from "../../../domain/ids.ts";
import type { Connection, Octokit } from "../connection/connection.ts";
import { graphqlErrorsOf } from "../connection/github-failure.ts";
import { issueStateOf, present } from "./parse-reading.ts";
import type { BlockerNode } from "./reading-nodes.ts";

export interface ManyIssues {
  readonly name: string;
  readonly ids: readonly TaskId[];
  /** This is the GraphQL selection that is read of each issue. */
  readonly selection: string;
  /** These are the fragments that the selection names. */
  readonly fragments?: string;
}

/** The keys are `issue0`, `issue1`, … in the order of the ids. */
export type IssueAnswer<T> = Readonly<Record<string, { readonly issue: T | null } | null>>;

const ISSUE = /^([^/#]+)\/([^/#]+)#(\d{1,9})$/;

/** The time is long enough that several ticks in a row ask once, and short enough that a change told by a webhook is seen soon. */
const STATES_GOOD_FOR_MS = 2_000;

const MAX_STATES_PER_QUERY = 100;

type StateNode = Pick<BlockerNode, "state" | "stateReason">;

/** The sub-issues of an issue change seldom. Their states are looked up elsewhere. */
const SUB_ISSUES_GOOD_FOR_MS = 60_000;

const MAX_PARENTS_PER_QUERY = 50;

const SUB_ISSUES =
  "subIssues(first: 100) { nodes { number state stateReason repository { nameWithOwner } } }";

interface ParentNode {
  readonly subIssues: { readonly nodes: readonly (BlockerNode | null)[] | null };
}

/** Reads many issues of any repositories in one document. Issues that do not exist are absent from the answer. */
export function readIssues<T>(client: Octokit, wanted: ManyIssues): Promise<IssueAnswer<T>> {
  return readIssuesBy(wanted, (query, variables) => client.graphql(query, variables));
}

export async function readIssuesBy<T>(
  wanted: ManyIssues,
  ask: (query: string, variables: Record<string, string | number>) => Promise<IssueAnswer<T>>,
): Promise<IssueAnswer<T>> {
  const { query, variables } = documentFor(wanted);
  try {
    return await ask(query, variables);
  } catch (error) {
    // GitHub reports a missing issue, or a project that we may not see, as an error beside the data of the other issues.
    const errors = graphqlErrorsOf(error);
    const missing = errors?.every(({ type, path }) => type === "NOT_FOUND" || isHidden(type, path));
    if (missing !== true) throw error;
    return (error as { readonly data?: IssueAnswer<T> | null }).data ?? {};
  }
}

/** Reads the states of issues that are on no board, all in one query. Issues that do not exist are absent. */
export function createIssueStates(
  connection: Connection,
  now: () => number,
): (repo: RepoName, ids: readonly TaskId[]) => Promise<ReadonlyMap<TaskId, IssueState>> {
  const known = new Map<TaskId, { readonly state: IssueState | undefined; readonly at: number }>();
  return async (repo, ids) => {
    const stale = ids.filter((id) => now() - (known.get(id)?.at ?? -Infinity) > STATES_GOOD_FOR_MS);
    const asked = stale.filter(isIssue).slice(0, MAX_STATES_PER_QUERY);
    const answer = asked.length === 0 ? {} : await askStates(connection, repo, asked);
    asked.forEach((id, at) => {
      const issue = answer[`issue${at}`]?.issue;
      known.set(id, { state: issue ? issueStateOf(issue) : undefined, at: now() });
    });
    return new Map(
      ids.flatMap((id) => {
        const state = known.get(id)?.state;
        return state === undefined ? [] : [[id, state] as const];
      }),
    );
  };
}

/** Reads the sub-issues of each issue that has any, all in one query. */
export function createSubIssues(
  connection: Connection,
  now: () => number,
): (
  repo: RepoName,
  ids: readonly TaskId[],
) => Promise<ReadonlyMap<TaskId, readonly DependencyIssue[]>> {
  const known = new Map<
    TaskId,
    { readonly children: readonly DependencyIssue[]; readonly at: number }
  >();
  return async (repo, ids) => {
    const stale = ids.filter(
      (id) => now() - (known.get(id)?.at ?? -Infinity) > SUB_ISSUES_GOOD_FOR_MS,
    );
    const asked = stale.filter(isIssue).slice(0, MAX_PARENTS_PER_QUERY);
    if (asked.length > 0) {
      const wanted = { name: "SubIssues", ids: asked, selection: SUB_ISSUES };
      const answer = await connection.call(repo, "read sub-issues", (client) =>
        readIssues<ParentNode>(client, wanted),
      );
      asked.forEach((id, at) => {
        const nodes = present(answer[`issue${at}`]?.issue?.subIssues.nodes);
        known.set(id, { children: nodes.map(childOf), at: now() });
      });
    }
    return new Map(
      ids.flatMap((id) => {
        const children = known.get(id)?.children ?? [];
        return children.length === 0 ? [] : [[id, children] as const];
      }),
    );
  };
}

function isHidden(type: string | undefined, path: readonly (string | number)[]): boolean {
  return type === "FORBIDDEN" && path.at(-1) === "project";
}

function documentFor({ name, ids, selection, fragments = "" }: ManyIssues): {
  readonly query: string;
  readonly variables: Record<string, string | number>;
} {
  const variables: Record<string, string | number> = {};
  const declarations: string[] = [];
  const fields = ids.map((id, at) => {
    const [, owner = "", repo = "", number = "0"] = ISSUE.exec(id) ?? [];
    Object.assign(variables, { [`o${at}`]: owner, [`n${at}`]: repo, [`i${at}`]: Number(number) });
    declarations.push(`$o${at}: String!`, `$n${at}: String!`, `$i${at}: Int!`);
    return `issue${at}: repository(owner: $o${at}, name: $n${at}) { issue(number: $i${at}) { ${selection} } }`;
  });
  const head = `query ${name}(${declarations.join(", ")})`;
  return { query: `${head} {\n  ${fields.join("\n  ")}\n}\n${fragments}`, variables };
}

function isIssue(id: TaskId): boolean {
  return ISSUE.test(id);
}

function askStates(
  connection: Connection,
  repo: RepoName,
  ids: readonly TaskId[],
): Promise<IssueAnswer<StateNode>> {
  const wanted = { name: "IssueStates", ids, selection: "state stateReason" };
  return connection.call(repo, "read dependencies", (client) =>
    readIssues<StateNode>(client, wanted),
  );
}

function childOf(node: BlockerNode): DependencyIssue {
  return {
    repo: repoName(node.repository.nameWithOwner),
    number: node.number,
    state: issueStateOf(node),
  };
}
