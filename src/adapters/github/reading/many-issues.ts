import type { DependencyIssue, IssueState } from "../../../domain/board.ts";
import { repoName } from "../../../domain/ids.ts";
import type { RepoName, TaskId } from "../../../domain/ids.ts";
import type { Connection, Octokit } from "../connection/connection.ts";
import { graphqlErrorsOf } from "../connection/github-failure.ts";
import { Portion } from "../connection/portion.ts";
import { restOfSubIssues } from "./long-lists.ts";
import type { Query } from "./long-lists.ts";
import { issueStateOf, present } from "./parse-reading.ts";
import type { BlockerNode, ShortList } from "./reading-nodes.ts";
import { SUB_ISSUES } from "./reading-query.ts";

export interface ManyIssues {
  readonly name: string;
  readonly ids: readonly TaskId[];
  /** This is the GraphQL selection that is read of each issue. */
  readonly selection: string;
  /** These are the fragments that the selection names. */
  readonly fragments?: string;
}

/** The keys are `issue0`, `issue1`, … in the order of the ids. */
type IssueAnswer<T> = Readonly<Record<string, { readonly issue: T | null } | null>>;

type Ask<T> = (
  query: string,
  variables: Record<string, string | number>,
) => Promise<IssueAnswer<T>>;

const ISSUE = /^([^/#]+)\/([^/#]+)#(\d{1,9})$/;

/** More issues in one document would exceed GitHub's limits. */
const MAX_PER_QUERY = 50;

/** The time is long enough that several ticks in a row ask once, and short enough that a change told by a webhook is seen soon. */
const STATES_GOOD_FOR_MS = 2_000;

type StateNode = Pick<BlockerNode, "state" | "stateReason">;

/** The sub-issues of an issue change seldom. Their states are looked up elsewhere. */
const SUB_ISSUES_GOOD_FOR_MS = 60_000;

interface ParentNode {
  readonly id: string;
  readonly subIssues: ShortList<BlockerNode>;
}

/** Reads many issues of any repositories, up to 50 in one document. Issues that do not exist are absent from the answer. */
export function readIssues<T>(
  { graphql }: Pick<Octokit, "graphql">,
  wanted: ManyIssues,
): Promise<ReadonlyMap<TaskId, T>> {
  return readIssuesBy(wanted, (query, variables) => graphql(query, variables));
}

export async function readIssuesBy<T>(
  wanted: ManyIssues,
  ask: Ask<T>,
): Promise<ReadonlyMap<TaskId, T>> {
  const portion = new Portion(MAX_PER_QUERY, () => 0);
  const ids = wanted.ids.filter(isIssue);
  const parts = await portion.askAll(ids, async (part) => {
    const answer = await askTogether({ ...wanted, ids: part }, ask);
    return part.flatMap((id, at) => {
      const issue = answer[`issue${at}`]?.issue;
      return issue ? [[id, issue] as const] : [];
    });
  });
  return new Map(parts.flat());
}

async function askTogether<T>(wanted: ManyIssues, ask: Ask<T>): Promise<IssueAnswer<T>> {
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

/** Reads the states of issues that are on no board. Issues that do not exist are absent. */
export function createIssueStates(
  connection: Connection,
  now: () => number,
): (repo: RepoName, ids: readonly TaskId[]) => Promise<ReadonlyMap<TaskId, IssueState>> {
  return remembered({ now, goodForMs: STATES_GOOD_FOR_MS }, async (repo, ids) => {
    const wanted = { name: "IssueStates", ids, selection: "state stateReason" };
    const found = await connection.call(repo, "read dependencies", (client) =>
      readIssues<StateNode>(client, wanted),
    );
    return new Map([...found].map(([id, issue]) => [id, issueStateOf(issue)]));
  });
}

/** Reads the sub-issues of each issue that has any. */
export function createSubIssues(
  connection: Connection,
  now: () => number,
): (
  repo: RepoName,
  ids: readonly TaskId[],
) => Promise<ReadonlyMap<TaskId, readonly DependencyIssue[]>> {
  return remembered({ now, goodForMs: SUB_ISSUES_GOOD_FOR_MS }, (repo, ids) =>
    connection.call(repo, "read sub-issues", async (client) => {
      const wanted = { name: "SubIssues", ids, selection: `id ${SUB_ISSUES}` };
      const found = await readIssues<ParentNode>(client, wanted);
      const query: Query = (document, variables) => client.graphql(document, variables);
      const restOf = await restOfSubIssues(query, [...found.values()]);
      return new Map(
        [...found].flatMap(([task, { id, subIssues }]) => {
          const children = [...present(subIssues.nodes), ...restOf(id)];
          return children.length === 0 ? [] : [[task, children.map(childOf)] as const];
        }),
      );
    }),
  );
}

/** Asks only for what was not asked for within the time. What is not in an answer is remembered, too. */
function remembered<T>(
  { now, goodForMs }: { readonly now: () => number; readonly goodForMs: number },
  ask: (repo: RepoName, ids: readonly TaskId[]) => Promise<ReadonlyMap<TaskId, T>>,
): (repo: RepoName, ids: readonly TaskId[]) => Promise<ReadonlyMap<TaskId, T>> {
  const known = new Map<TaskId, { readonly value: T | undefined; readonly at: number }>();
  return async (repo, ids) => {
    const stale = ids.filter((id) => now() - (known.get(id)?.at ?? -Infinity) > goodForMs);
    const found = stale.some(isIssue) ? await ask(repo, stale) : new Map<TaskId, T>();
    for (const id of stale) known.set(id, { value: found.get(id), at: now() });
    return new Map(
      ids.flatMap((id) => {
        const value = known.get(id)?.value;
        return value === undefined ? [] : [[id, value] as const];
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

function childOf(node: BlockerNode): DependencyIssue {
  return {
    repo: repoName(node.repository.nameWithOwner),
    number: node.number,
    state: issueStateOf(node),
  };
}
