import type { CommentEvent, IssueEvent, RelationEvent } from "../model/event.ts";
import type { World } from "../model/world.ts";
import { commentView } from "../rest/view/comment.ts";
import { issueView } from "../rest/view/issue.ts";
import { labelView } from "../rest/view/label.ts";
import { repositoryView } from "../rest/view/repository.ts";
import type { Said } from "./said.ts";

export function issuePayload(world: World, event: IssueEvent): Said {
  const { repository } = event.issue;
  const issue = webhookIssue(world, event.issue);
  switch (event.action) {
    case "labeled":
    case "unlabeled":
      return { repository, body: { issue, label: labelView(world, event.label) } };
    case "edited":
      return { repository, body: { issue, changes: event.changes } };
    case "opened":
    case "closed":
    case "reopened":
      return { repository, body: { issue } };
  }
}

/** Shows an issue without its parent, which webhooks about issues do not tell. */
function webhookIssue(world: World, thread: Parameters<typeof issueView>[1]) {
  const issue = { ...issueView(world, thread) };
  if ("parent_issue_url" in issue) delete issue.parent_issue_url;
  return issue;
}

export function commentPayload(world: World, event: CommentEvent): Said {
  const thread = event.comment.on;
  const found = world.nodes.get(thread.nodeId);
  if (found?.kind !== "issue" && found?.kind !== "pull-request") {
    throw new Error(`comment ${event.comment.id} is on nothing`);
  }
  return {
    repository: thread.repository,
    body: {
      issue: webhookIssue(world, found),
      comment: commentView(world, event.comment),
      ...(event.action === "edited" ? { changes: { body: { from: event.previous } } } : {}),
    },
  };
}

export function relationPayload(world: World, event: RelationEvent): Said {
  if (event.name === "sub_issues") {
    const { parent, subIssue } = event;
    const body = {
      parent_issue_id: parent.id,
      parent_issue: issueView(world, parent),
      sub_issue_id: subIssue.id,
      sub_issue: issueView(world, subIssue),
      sub_issue_repo: repositoryView(world, subIssue.repository),
    };
    return { repository: parent.repository, body };
  }
  const { blocked, blocking } = event;
  const body = {
    blocked_issue_id: blocked.id,
    blocked_issue: issueView(world, blocked),
    blocking_issue_id: blocking.id,
    blocking_issue: issueView(world, blocking),
    blocking_issue_repo: repositoryView(world, blocking.repository),
  };
  return { repository: blocked.repository, body };
}
