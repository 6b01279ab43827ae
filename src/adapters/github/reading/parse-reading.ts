import type {
  Card,
  ColumnRole,
  DependencyIssue,
  Issue,
  IssueState,
  PullRequest,
} from "../../../domain/board.ts";
import { repoName } from "../../../domain/ids.ts";
import type { BlockerNode, IssueNode, ItemNode, PullNode, ReviewNode } from "./reading-nodes.ts";

/** Makes a card of a project's item. Drafts, pull requests, archived and unreadable items are not tasks and give undefined. */
export function cardFromItem(
  item: ItemNode,
  roleOf: (column: string) => ColumnRole | undefined,
): Card | undefined {
  if (item.isArchived || item.content?.__typename !== "Issue") return undefined;
  const column = item.status?.name ?? undefined;
  return {
    id: item.id,
    issue: issueFromNode(item.content as IssueNode),
    role: column === undefined ? undefined : roleOf(column),
    movedAt: Date.parse(item.status?.updatedAt ?? item.updatedAt),
  };
}

export function issueFromNode(node: IssueNode): Issue {
  return {
    ...refOf(node),
    nodeId: node.id,
    title: node.title,
    body: node.body,
    state: issueStateOf(node),
    ...reopenedOf(node),
    labels: namesOf(node.labels),
    blockedBy: blockersOf(node.blockedBy),
    parent:
      node.parent === null
        ? undefined
        : {
            ...refOf(node.parent),
            labels: namesOf(node.parent.labels),
            blockedBy: blockersOf(node.parent.blockedBy, node.parent),
          },
  };
}

function refOf(node: Pick<BlockerNode, "number" | "repository">): Pick<Issue, "repo" | "number"> {
  return { repo: repoName(node.repository.nameWithOwner), number: node.number };
}

export function issueStateOf(node: Pick<BlockerNode, "state" | "stateReason">): IssueState {
  if (node.state === "OPEN") return "open";
  return node.stateReason === "NOT_PLANNED" || node.stateReason === "DUPLICATE"
    ? "not-planned"
    : "completed";
}

function reopenedOf({ state, stateReason }: Pick<BlockerNode, "state" | "stateReason">): {
  readonly reopened?: true;
} {
  return state === "OPEN" && stateReason === "REOPENED" ? { reopened: true } : {};
}

function namesOf(labels: IssueNode["labels"]): readonly string[] {
  return present(labels?.nodes).map((label) => label.name);
}

type Ref = Pick<BlockerNode, "number" | "repository">;

/**
 * `of` is given for a parent and leaves its own sub-issues out. People block a parent by its sub-issues to say that it is done after
 * them. The sub-issues inherit the parent's blockers, so each of them would wait for the others.
 */
function blockersOf(connection: IssueNode["blockedBy"], of?: Ref): readonly DependencyIssue[] {
  return present(connection.nodes)
    .filter(({ parent }) => of === undefined || !parent || !isSame(parent, of))
    .map((node) => ({ ...refOf(node), state: issueStateOf(node), ...reopenedOf(node) }));
}

function isSame(one: Ref, other: Ref): boolean {
  return (
    one.number === other.number && one.repository.nameWithOwner === other.repository.nameWithOwner
  );
}

/** A status that ended by an error of its reporter makes the rollup `ERROR`: it counts like a failure. */
const FAILED: ReadonlySet<string> = new Set(["FAILURE", "ERROR"]);

export function pullFromNode(node: PullNode): PullRequest {
  const reviews = present(node.latestOpinionatedReviews?.nodes);
  const approvals = reviews.filter((review) => review.state === "APPROVED");
  const requests = reviews.filter((review) => review.state === "CHANGES_REQUESTED");
  const refused = requests.length > 0;
  // An approval counts only for the commit that it was given for, so a later push needs a new one.
  const current = approvals.filter((review) => review.commit?.oid === node.headRefOid);
  return {
    number: node.number,
    nodeId: node.id,
    title: node.title,
    branch: node.headRefName,
    base: node.baseRefName,
    head: node.headRefOid,
    state: "open",
    draft: node.isDraft,
    review: refused ? "changes-requested" : current.length > 0 ? "approved" : "none",
    changesRequested: requests.map(({ id, submittedAt }) => ({
      id,
      at: Date.parse(submittedAt ?? ""),
    })),
    checksFailed: FAILED.has(node.statusCheckRollup?.state ?? ""),
    approvedBy: refused ? [] : authorsOf(current, isPerson),
    approvedByBots: refused ? [] : authorsOf(current, (author) => !isPerson(author)),
    approvedHead: current[0]?.commit?.oid,
  };
}

type Author = NonNullable<ReviewNode["author"]>;

function authorsOf(
  reviews: readonly ReviewNode[],
  counts: (author: Author) => boolean,
): readonly string[] {
  return reviews.flatMap(({ author }) => (author !== null && counts(author) ? author.login : []));
}

/** A program with write access can approve on GitHub, too, but then no person has read the change. */
function isPerson({ __typename }: Author): boolean {
  return __typename === "User" || __typename === "EnterpriseUserAccount";
}

export function present<T>(nodes: readonly (T | null)[] | null | undefined): readonly T[] {
  return (nodes ?? []).filter((node) => node !== null);
}
