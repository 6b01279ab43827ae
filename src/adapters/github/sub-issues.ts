import type { DependencyIssue } from "../../domain/board.ts";
import { repoName } from "../../domain/ids.ts";
import type { RepoName, TaskId } from "../../domain/ids.ts";
import type { Connection } from "./connection.ts";
import { isIssue, readIssues } from "./many-issues.ts";
import { issueStateOf, present } from "./parse-reading.ts";
import type { BlockerNode } from "./reading-nodes.ts";

/** Who belongs to a phase changes seldom; what became of them is looked up elsewhere. */
const GOOD_FOR_MS = 60_000;
const MOST = 50;
const SELECTION =
  "subIssues(first: 100) { nodes { number state stateReason repository { nameWithOwner } } }";

interface ParentNode {
  readonly subIssues: { readonly nodes: readonly (BlockerNode | null)[] | null };
}

/** The sub-issues of each issue that has any, all in one query. */
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
    const stale = ids.filter((id) => now() - (known.get(id)?.at ?? -Infinity) > GOOD_FOR_MS);
    const asked = stale.filter(isIssue).slice(0, MOST);
    if (asked.length > 0) {
      const wanted = { name: "SubIssues", ids: asked, selection: SELECTION };
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

function childOf(node: BlockerNode): DependencyIssue {
  return {
    repo: repoName(node.repository.nameWithOwner),
    number: node.number,
    state: issueStateOf(node),
  };
}
