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

/** Each side of a link is told in its own repository, with the repository of the other side. */
export function relationPayload(world: World, event: RelationEvent): Said {
  return event.name === "sub_issues"
    ? familyPayload(world, event)
    : dependencyPayload(world, event);
}

function familyPayload(
  world: World,
  { action, parent, subIssue }: Extract<RelationEvent, { name: "sub_issues" }>,
): Said {
  const tellsParent = action === "sub_issue_added" || action === "sub_issue_removed";
  const body = {
    parent_issue_id: parent.id,
    parent_issue: issueView(world, parent),
    sub_issue_id: subIssue.id,
    sub_issue: issueView(world, subIssue),
  };
  return tellsParent
    ? {
        repository: parent.repository,
        body: { ...body, sub_issue_repo: repositoryView(world, subIssue.repository) },
      }
    : {
        repository: subIssue.repository,
        body: { ...body, parent_issue_repo: repositoryView(world, parent.repository) },
      };
}

function dependencyPayload(
  world: World,
  { action, blocked, blocking }: Extract<RelationEvent, { name: "issue_dependencies" }>,
): Said {
  const tellsBlocked = action === "blocked_by_added" || action === "blocked_by_removed";
  const body = {
    blocked_issue_id: blocked.id,
    blocked_issue: issueView(world, blocked),
    blocking_issue_id: blocking.id,
    blocking_issue: issueView(world, blocking),
  };
  return tellsBlocked
    ? {
        repository: blocked.repository,
        body: { ...body, blocking_issue_repo: repositoryView(world, blocking.repository) },
      }
    : {
        repository: blocking.repository,
        body: { ...body, blocked_issue_repo: repositoryView(world, blocked.repository) },
      };
}
