import { nameOf, ownerOf, repoName } from "../../../domain/ids.ts";
import type { RepoName } from "../../../domain/ids.ts";
import type { ObjectiveIssue, SubIssue } from "../../../domain/objective.ts";
import { AppError } from "../../../shared/app-error.ts";
import type { Connection } from "../connection/connection.ts";
import { issueFromNode, issueStateOf, present } from "./parse-reading.ts";
import type { BlockerNode, LabelledIssueNode } from "./reading-nodes.ts";
import { TASK } from "./reading-query.ts";

interface SubIssueNode extends Omit<BlockerNode, "parent"> {
  readonly title: string;
}

interface ObjectiveNode extends LabelledIssueNode {
  readonly subIssues: { readonly nodes: readonly (SubIssueNode | null)[] | null };
}

interface ObjectivesPage {
  readonly repository: {
    readonly issues: { readonly nodes: readonly (ObjectiveNode | null)[] | null };
  } | null;
}

/** Nobody has more than 25 objectives open, and the query then costs two points. GitHub allows 100 sub-issues of an issue. */
const OBJECTIVES = /* GraphQL */ `
  query Objectives($owner: String!, $name: String!, $labels: [String!]) {
    repository(owner: $owner, name: $name) {
      issues(
        first: 25
        labels: $labels
        states: OPEN
        orderBy: { field: CREATED_AT, direction: ASC }
      ) {
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
          subIssues(first: 100) {
            nodes {
              number
              title
              state
              stateReason
              repository {
                nameWithOwner
              }
            }
          }
        }
      }
    }
  }
  ${TASK}
`;

/** Reads the open issues that have the label, and their sub-issues, in one query. */
export function createObjectiveReader(
  connection: Connection,
): (repo: RepoName, label: string) => Promise<readonly ObjectiveIssue[]> {
  return async (repo, label) => {
    const variables = { owner: ownerOf(repo), name: nameOf(repo), labels: [label] };
    const page = await connection.call(repo, "read the objectives", (client) =>
      client.graphql<ObjectivesPage>(OBJECTIVES, variables),
    );
    if (page.repository === null) {
      throw new AppError("github-refused", `the issues of ${repo} cannot be read`);
    }
    return present(page.repository.issues.nodes).map((node) => objectiveFrom(node, label));
  };
}

function objectiveFrom(node: ObjectiveNode, label: string): ObjectiveIssue {
  const labelled = present(node.timelineItems.nodes).findLast(
    (event) => event.label?.name.toLowerCase() === label.toLowerCase(),
  );
  const movedAt = Date.parse(labelled?.createdAt ?? node.createdAt);
  return {
    card: { id: node.id, issue: issueFromNode(node), role: "ready", movedAt },
    subIssues: present(node.subIssues.nodes).map(subIssueFrom),
  };
}

function subIssueFrom(node: SubIssueNode): SubIssue {
  const repo = repoName(node.repository.nameWithOwner);
  return { repo, number: node.number, title: node.title, state: issueStateOf(node) };
}
