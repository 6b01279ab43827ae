import type { IssueState } from "../../domain/board.ts";
import type { RepoName, TaskId } from "../../domain/ids.ts";
import type { Connection } from "./connection.ts";
import { isIssue, readIssues } from "./many-issues.ts";
import type { IssueAnswer } from "./many-issues.ts";
import { issueStateOf } from "./parse-reading.ts";
import type { BlockerNode } from "./reading-nodes.ts";

/** Several ticks in a row ask once; a change that a webhook tells of is seen soon after. */
const GOOD_FOR_MS = 2_000;
const MOST = 100;

type StateNode = Pick<BlockerNode, "state" | "stateReason">;

/** States of issues that are on no board, all in one query; issues that do not exist are absent. */
export function createIssueStates(
  connection: Connection,
  now: () => number,
): (repo: RepoName, ids: readonly TaskId[]) => Promise<ReadonlyMap<TaskId, IssueState>> {
  const known = new Map<TaskId, { readonly state: IssueState | undefined; readonly at: number }>();
  return async (repo, ids) => {
    const stale = ids.filter((id) => now() - (known.get(id)?.at ?? -Infinity) > GOOD_FOR_MS);
    const asked = stale.filter(isIssue).slice(0, MOST);
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

function ask(
  connection: Connection,
  repo: RepoName,
  ids: readonly TaskId[],
): Promise<IssueAnswer<StateNode>> {
  const wanted = { name: "IssueStates", ids, selection: "state stateReason" };
  return connection.call(repo, "read dependencies", (client) =>
    readIssues<StateNode>(client, wanted),
  );
}
