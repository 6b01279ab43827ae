import { nameOf, ownerOf, repoName } from "../../../domain/ids.ts";
import type { RepoName } from "../../../domain/ids.ts";
import type { ObjectiveIssue, SubIssue } from "../../../domain/objective.ts";
import { AppError } from "../../../shared/app-error.ts";
import type { Connection } from "../connection/connection.ts";
import { Portion } from "../connection/portion.ts";
import { restOfSubIssues, wholeIssues } from "./long-lists.ts";
import type { Query } from "./long-lists.ts";
import { issueFromNode, issueStateOf, present } from "./parse-reading.ts";
import type { BlockerNode, Connected, LabelledIssueNode, ShortList } from "./reading-nodes.ts";
import { SUB_ISSUES, TASK } from "./reading-query.ts";

interface SubIssueNode extends Omit<BlockerNode, "parent"> {
  readonly title: string;
}

interface ObjectiveNode extends LabelledIssueNode {
  readonly subIssues: ShortList<SubIssueNode>;
}

interface ObjectivesPage {
  readonly repository: { readonly issues: Connected<ObjectiveNode> } | null;
}

/** Hardly anybody has more objectives open, and the query then costs two points. */
const LARGEST_PAGE = 25;

const OBJECTIVES = /* GraphQL */ `
  query Objectives($owner: String!, $name: String!, $labels: [String!], $size: Int!, $after: String) {
    repository(owner: $owner, name: $name) {
      issues(
        first: $size
        after: $after
        labels: $labels
        states: OPEN
        orderBy: { field: CREATED_AT, direction: ASC }
      ) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          ...Task
          createdAt
          timelineItems(last: 20, itemTypes: [LABELED_EVENT]) {
            nodes {
              ... on LabeledEvent {
                createdAt
                label {
                  name
                }
              }
            }
          }
          ${SUB_ISSUES}
        }
      }
    }
  }
  ${TASK}
`;

/** Reads the open issues that have the label, and their sub-issues. */
export function createObjectiveReader(
  connection: Connection,
): (repo: RepoName, label: string) => Promise<readonly ObjectiveIssue[]> {
  return (repo, label) =>
    connection.call(repo, "read the objectives", async (client) => {
      const query: Query = (document, variables) => client.graphql(document, variables);
      const nodes = await wholeIssues(query, await readNodes(query, repo, label));
      const restOf = await restOfSubIssues(query, nodes);
      return nodes.map((node) => objectiveFrom(node, { label, more: restOf(node.id) }));
    });
}

async function readNodes(
  query: Query,
  repo: RepoName,
  label: string,
): Promise<readonly ObjectiveNode[]> {
  const found: ObjectiveNode[] = [];
  const variables = { owner: ownerOf(repo), name: nameOf(repo), labels: [label] };
  const portion = new Portion(LARGEST_PAGE, () => 0);
  for (let after: string | null = null; ;) {
    const asked = { ...variables, after };
    const page: ObjectivesPage = await portion.ask((size) => query(OBJECTIVES, { ...asked, size }));
    if (page.repository === null) {
      throw new AppError("github-refused", `the issues of ${repo} cannot be read`);
    }
    const { nodes, pageInfo } = page.repository.issues;
    found.push(...present(nodes));
    if (!pageInfo.hasNextPage) return found;
    after = pageInfo.endCursor;
  }
}

function objectiveFrom(
  node: ObjectiveNode,
  { label, more }: { readonly label: string; readonly more: readonly SubIssueNode[] },
): ObjectiveIssue {
  const labelled = present(node.timelineItems.nodes).findLast(
    (event) => event.label?.name.toLowerCase() === label.toLowerCase(),
  );
  const movedAt = Date.parse(labelled?.createdAt ?? node.createdAt);
  return {
    card: { id: node.id, issue: issueFromNode(node), role: "ready", movedAt },
    subIssues: [...present(node.subIssues.nodes), ...more].map(subIssueFrom),
  };
}

function subIssueFrom(node: SubIssueNode): SubIssue {
  const repo = repoName(node.repository.nameWithOwner);
  return { repo, number: node.number, title: node.title, state: issueStateOf(node) };
}
