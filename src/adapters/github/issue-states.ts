import type { IssueState } from "../../domain/board.ts";
import type { RepoName, TaskId } from "../../domain/ids.ts";
import type { Connection, Octokit } from "./connection.ts";
import { graphqlErrorsOf } from "./graphql-errors.ts";
import { issueStateOf } from "./parse-reading.ts";
import type { BlockerNode } from "./reading-nodes.ts";

/** Several ticks in a row ask once; a change that a webhook tells of is seen soon after. */
const GOOD_FOR_MS = 2_000;
const MOST = 100;
const ISSUE = /^([^/#]+)\/([^/#]+)#(\d{1,9})$/;

type Answer = Readonly<
  Record<string, { readonly issue: Pick<BlockerNode, "state" | "stateReason"> | null } | null>
>;

/** States of issues that are on no board, all in one query; issues that do not exist are absent. */
export function createIssueStates(
  connection: Connection,
  now: () => number,
): (repo: RepoName, ids: readonly TaskId[]) => Promise<ReadonlyMap<TaskId, IssueState>> {
  const known = new Map<TaskId, { readonly state: IssueState | undefined; readonly at: number }>();
  return async (repo, ids) => {
    const stale = ids.filter((id) => now() - (known.get(id)?.at ?? -Infinity) > GOOD_FOR_MS);
    const asked = stale.filter((id) => ISSUE.test(id)).slice(0, MOST);
    const answer = asked.length === 0 ? {} : await ask(connection, repo, asked);
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

function ask(connection: Connection, repo: RepoName, ids: readonly TaskId[]): Promise<Answer> {
  const variables: Record<string, string | number> = {};
  const declarations: string[] = [];
  const fields = ids.map((id, at) => {
    const [, owner = "", name = "", number = "0"] = ISSUE.exec(id) ?? [];
    Object.assign(variables, { [`o${at}`]: owner, [`n${at}`]: name, [`i${at}`]: Number(number) });
    declarations.push(`$o${at}: String!`, `$n${at}: String!`, `$i${at}: Int!`);
    return `issue${at}: repository(owner: $o${at}, name: $n${at}) { issue(number: $i${at}) { state stateReason } }`;
  });
  const query = `query IssueStates(${declarations.join(", ")}) {\n  ${fields.join("\n  ")}\n}`;
  return connection.call(repo, "read dependencies", (client) => answerOf(client, query, variables));
}

/** One issue that is not there is an error beside the data of the others. */
async function answerOf(
  client: Octokit,
  query: string,
  variables: Record<string, string | number>,
): Promise<Answer> {
  try {
    return await client.graphql<Answer>(query, variables);
  } catch (error) {
    const missing = graphqlErrorsOf(error)?.every(({ type }) => type === "NOT_FOUND") === true;
    if (!missing) throw error;
    return (error as { readonly data?: Answer | null }).data ?? {};
  }
}
