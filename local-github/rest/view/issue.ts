import { blockedByThis } from "../../model/find.ts";
import type { Issue, Thread } from "../../model/issue.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import type { World } from "../../model/world.ts";
import { accountView } from "./account.ts";
import { associationOf } from "./association.ts";
import { labelView } from "./label.ts";
import { noReactions } from "./reactions.ts";
import { repositoryApi, repositoryPage } from "./repository.ts";

/** Shows an issue, or a pull request seen as one, as the issues API and webhooks do. */
export function issueView(world: World, thread: Issue | PullRequest) {
  return {
    ...threadView(world, thread),
    ...(thread.kind === "issue" ? issueOnly(world, thread) : pullOnly(world, thread)),
  };
}

function threadView(world: World, thread: Thread) {
  const repository = repositoryApi(world, thread.repository);
  const api = issueApi(world, thread);
  return {
    id: thread.id,
    node_id: thread.nodeId,
    url: api,
    repository_url: repository,
    labels_url: `${api}/labels{/name}`,
    comments_url: `${api}/comments`,
    events_url: `${api}/events`,
    timeline_url: `${api}/timeline`,
    html_url: threadPage(world, thread),
    number: thread.number,
    state: thread.state,
    title: thread.title,
    body: thread.body,
    user: accountView(world, thread.author),
    labels: thread.labels.map((label) => labelView(world, label)),
    assignee: null,
    assignees: thread.assignees.map((user) => accountView(world, user)),
    milestone: null,
    locked: false,
    active_lock_reason: null,
    comments: thread.comments.length,
    closed_at: thread.closedAt,
    created_at: thread.createdAt,
    updated_at: thread.updatedAt,
    author_association: associationOf(thread.repository, thread.author),
    reactions: noReactions(api),
    performed_via_github_app: null,
  };
}

export function issueApi(world: World, thread: Thread): string {
  return `${repositoryApi(world, thread.repository)}/issues/${thread.number}`;
}

export function threadPage(world: World, thread: Thread): string {
  const kind = thread.kind === "issue" ? "issues" : "pull";
  return `${repositoryPage(world, thread.repository)}/${kind}/${thread.number}`;
}

function issueOnly(world: World, issue: Issue) {
  const done = issue.subIssues.filter((child) => child.state === "closed").length;
  const total = issue.subIssues.length;
  const blocking = blockedByThis(world, issue);
  const isOpen = (other: Issue) => other.state === "open";
  return {
    state_reason: issue.stateReason,
    sub_issues_summary: {
      total,
      completed: done,
      percent_completed: total === 0 ? 0 : Math.floor((100 * done) / total),
    },
    issue_dependencies_summary: {
      blocked_by: issue.blockedBy.filter(isOpen).length,
      total_blocked_by: issue.blockedBy.length,
      blocking: blocking.filter(isOpen).length,
      total_blocking: blocking.length,
    },
    ...(issue.parent === null ? {} : { parent_issue_url: issueApi(world, issue.parent) }),
  };
}

function pullOnly(world: World, pull: PullRequest) {
  const page = threadPage(world, pull);
  return {
    state_reason: null,
    draft: pull.draft,
    pull_request: {
      url: `${repositoryApi(world, pull.repository)}/pulls/${pull.number}`,
      html_url: page,
      diff_url: `${page}.diff`,
      patch_url: `${page}.patch`,
      merged_at: pull.landing?.at ?? null,
    },
  };
}

/** Shows a single issue, which says more than a list does: who closed it. */
export function issueDetailView(world: World, thread: Issue | PullRequest) {
  const { closedBy } = thread;
  return {
    ...issueView(world, thread),
    closed_by: closedBy === null ? null : accountView(world, closedBy),
  };
}
