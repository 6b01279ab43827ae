import type { RestEndpointMethodTypes } from "@octokit/rest";
import type { DependencyIssue, Issue, IssueRef, IssueState } from "../../domain/board.ts";
import { nameOf, ownerOf, repoName } from "../../domain/ids.ts";
import type { RemoteClient } from "./remote-client.ts";

type RestIssue = RestEndpointMethodTypes["issues"]["listForRepo"]["response"]["data"][number];

/** An issue with its relations: as many calls as it has kinds of them. */
export async function issueFromRest(client: RemoteClient, issue: RestIssue): Promise<Issue> {
  return {
    ...refOf(issue),
    nodeId: issue.node_id,
    title: issue.title,
    body: issue.body ?? "",
    state: stateFromRest(issue),
    labels: labelsOf(issue),
    blockedBy: (await blockersOf(client, issue)).map(dependencyOf),
    parent: await parentOf(client, issue),
  };
}

type StatedIssue = Pick<RestIssue, "state" | "state_reason" | "pull_request">;

/** A pull request is done when it was merged: somebody may wait for one, too. */
export function stateFromRest(issue: StatedIssue): IssueState {
  if (issue.state === "open") return "open";
  if (issue.pull_request) return issue.pull_request.merged_at ? "completed" : "not-planned";
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

async function blockersOf(client: RemoteClient, issue: RestIssue): Promise<readonly RestIssue[]> {
  if (issue.issue_dependencies_summary?.total_blocked_by === 0) return [];
  const wanted = { ...addressOf(issue), per_page: 100 };
  return client.paginate(client.rest.issues.listDependenciesBlockedBy, wanted);
}

function dependencyOf(blocker: RestIssue): DependencyIssue {
  return { ...refOf(blocker), state: stateFromRest(blocker) };
}

async function parentOf(client: RemoteClient, issue: RestIssue): Promise<Issue["parent"]> {
  if (typeof issue.parent_issue_url !== "string") return undefined;
  const { data } = await client.rest.issues.getParent(addressOf(issue));
  const blockers = await blockersOf(client, data);
  // Blocked by its own sub-issues: handed on to them, that would make each wait for the others.
  const foreign = blockers.filter((blocker) => blocker.parent_issue_url !== data.url);
  return { ...refOf(data), labels: labelsOf(data), blockedBy: foreign.map(dependencyOf) };
}

function addressOf(issue: RestIssue) {
  const { repo, number } = refOf(issue);
  return { owner: ownerOf(repo), repo: nameOf(repo), issue_number: number };
}
