import type { Octokit, RestEndpointMethodTypes } from "@octokit/rest";
import type { DependencyIssue, Issue, IssueRef, IssueState } from "../../domain/board.ts";
import { nameOf, ownerOf, repoName } from "../../domain/ids.ts";

type RestIssue = RestEndpointMethodTypes["issues"]["listForRepo"]["response"]["data"][number];

/** An issue with its relations: as many calls as it has kinds of them. */
export async function issueFromRest(rest: Octokit, issue: RestIssue): Promise<Issue> {
  return {
    ...refOf(issue),
    nodeId: issue.node_id,
    title: issue.title,
    body: issue.body ?? "",
    state: stateFromRest(issue),
    labels: labelsOf(issue),
    blockedBy: await blockersOf(rest, issue),
    parent: await parentOf(rest, issue),
  };
}

export function stateFromRest(issue: Pick<RestIssue, "state" | "state_reason">): IssueState {
  if (issue.state === "open") return "open";
  const reason: string | null | undefined = issue.state_reason;
  return reason === "not_planned" || reason === "duplicate" ? "not-planned" : "completed";
}

function refOf(issue: Pick<RestIssue, "repository_url" | "number">): IssueRef {
  const [owner = "", name = ""] = issue.repository_url.split("/").slice(-2);
  return { repo: repoName(`${owner}/${name}`), number: issue.number };
}

function labelsOf({ labels }: Pick<RestIssue, "labels">): readonly string[] {
  return labels.flatMap((label) => (typeof label === "string" ? label : (label.name ?? [])));
}

async function blockersOf(rest: Octokit, issue: RestIssue): Promise<readonly DependencyIssue[]> {
  if (issue.issue_dependencies_summary?.total_blocked_by === 0) return [];
  const wanted = { ...addressOf(issue), per_page: 100 };
  const blockers = await rest.paginate(rest.rest.issues.listDependenciesBlockedBy, wanted);
  return blockers.map((blocker) => ({ ...refOf(blocker), state: stateFromRest(blocker) }));
}

async function parentOf(rest: Octokit, issue: RestIssue): Promise<Issue["parent"]> {
  if (typeof issue.parent_issue_url !== "string") return undefined;
  const { data } = await rest.rest.issues.getParent(addressOf(issue));
  return { ...refOf(data), labels: labelsOf(data), blockedBy: await blockersOf(rest, data) };
}

function addressOf(issue: RestIssue) {
  const { repo, number } = refOf(issue);
  return { owner: ownerOf(repo), repo: nameOf(repo), issue_number: number };
}
