import type { Account, User } from "../model/account.ts";
import type {
  CodeEvent,
  CommentEvent,
  InstallationEvent,
  IssueEvent,
  ProjectEvent,
  PullRequestEvent,
  RelationEvent,
  WorldEvent,
} from "../model/event.ts";
import type { Repository } from "../model/repository.ts";
import type { World } from "../model/world.ts";
import { assertNever } from "../../shared/assert-never.ts";
import { accountView, organizationView } from "../rest/view/account.ts";
import { installationView } from "../rest/view/app.ts";
import { checkRunView } from "../rest/view/check.ts";
import { commentView } from "../rest/view/comment.ts";
import { issueView } from "../rest/view/issue.ts";
import { labelView } from "../rest/view/label.ts";
import { projectItemView, projectView } from "../rest/view/project-item.ts";
import { pullView } from "../rest/view/pull-request.ts";
import { repositoryView } from "../rest/view/repository.ts";
import { reviewView } from "../rest/view/review.ts";
import { pushView, statusEventView } from "./code-payload.ts";

/** What a webhook says, and about whose account and repository. */
export interface Payload {
  readonly about: Account;
  readonly repository: Repository | null;
  readonly body: Readonly<Record<string, unknown>>;
}

export function payloadOf(world: World, event: WorldEvent): Payload {
  switch (event.name) {
    case "issues":
      return inRepository(world, event, issuePayload(world, event));
    case "issue_comment":
      return inRepository(world, event, commentPayload(world, event));
    case "pull_request":
    case "pull_request_review":
      return inRepository(world, event, pullPayload(world, event));
    case "issue_dependencies":
    case "sub_issues":
      return inRepository(world, event, relationPayload(world, event));
    case "push":
    case "check_run":
    case "status":
    case "label":
      return inRepository(world, event, codePayload(world, event));
    case "projects_v2_item":
    case "projects_v2":
      return projectPayload(world, event);
    case "installation":
    case "installation_repositories":
      return installationPayload(world, event);
    default:
      return assertNever(event);
  }
}

interface Said {
  readonly repository: Repository;
  readonly body: Readonly<Record<string, unknown>>;
}

function inRepository(world: World, event: WorldEvent, said: Said): Payload {
  const { repository } = said;
  const { owner } = repository;
  return {
    about: owner,
    repository,
    body: {
      ...(event.action === null ? {} : { action: event.action }),
      ...said.body,
      repository: repositoryView(world, repository),
      ...(owner.kind === "organization" ? { organization: organizationView(world, owner) } : {}),
      sender: accountView(world, event.sender),
    },
  };
}

function issuePayload(world: World, event: IssueEvent): Said {
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

/** Webhooks about issues do not tell the parent. */
function webhookIssue(world: World, thread: Parameters<typeof issueView>[1]) {
  const { parent_issue_url: _parent, ...issue } = {
    parent_issue_url: "",
    ...issueView(world, thread),
  };
  return issue;
}

function commentPayload(world: World, event: CommentEvent): Said {
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

function pullPayload(world: World, event: PullRequestEvent): Said {
  if (event.name === "pull_request_review") return reviewPayload(world, event);
  const { pull } = event;
  const body = { number: pull.number, pull_request: pullView(world, pull) };
  return { repository: pull.repository, body: { ...body, ...pullDetails(world, event) } };
}

function pullDetails(world: World, event: Extract<PullRequestEvent, { name: "pull_request" }>) {
  switch (event.action) {
    case "labeled":
    case "unlabeled":
      return { label: labelView(world, event.label) };
    case "synchronize":
      return { before: event.before, after: event.pull.headSha };
    case "edited":
      return { changes: event.changes };
    case "opened":
    case "closed":
    case "reopened":
    case "ready_for_review":
    case "converted_to_draft":
      return {};
  }
}

const BEYOND_SIMPLE = [
  "merged",
  "mergeable",
  "rebaseable",
  "mergeable_state",
  "merged_by",
  "comments",
  "review_comments",
  "maintainer_can_modify",
  "commits",
  "additions",
  "deletions",
  "changed_files",
];

function reviewPayload(
  world: World,
  { review }: Extract<PullRequestEvent, { name: "pull_request_review" }>,
): Said {
  const pull = Object.entries(pullView(world, review.pull)).filter(
    ([name]) => !BEYOND_SIMPLE.includes(name),
  );
  const body = {
    // Lower case here, upper case in the REST API.
    review: {
      ...reviewView(world, review),
      state: review.state.toLowerCase(),
      updated_at: review.updatedAt,
    },
    pull_request: Object.fromEntries(pull),
  };
  return { repository: review.pull.repository, body };
}

function relationPayload(world: World, event: RelationEvent): Said {
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

function codePayload(world: World, event: CodeEvent & { readonly sender: User }): Said {
  switch (event.name) {
    case "push":
      return { repository: event.repository, body: pushView(world, event) };
    case "status":
      return { repository: event.status.repository, body: statusEventView(world, event.status) };
    case "label":
      return { repository: event.label.repository, body: { label: labelView(world, event.label) } };
    case "check_run":
      return {
        repository: event.run.suite.repository,
        body: {
          check_run: checkRunView(world, event.run),
          ...(event.action === "requested_action"
            ? { requested_action: { identifier: event.identifier } }
            : {}),
        },
      };
  }
}

function projectPayload(world: World, event: ProjectEvent & { readonly sender: User }): Payload {
  const project = event.name === "projects_v2" ? event.project : event.item.project;
  const subject =
    event.name === "projects_v2"
      ? { projects_v2: projectView(world, project) }
      : { projects_v2_item: projectItemView(world, event.item), ...itemChanges(event) };
  return {
    about: project.owner,
    repository: null,
    body: {
      action: event.action,
      ...subject,
      organization: organizationView(world, project.owner),
      sender: accountView(world, event.sender),
    },
  };
}

function itemChanges(event: Extract<ProjectEvent, { name: "projects_v2_item" }>) {
  switch (event.action) {
    case "edited":
      return { changes: { field_value: fieldValue(event) } };
    case "archived":
    case "restored":
      return { changes: { archived_at: { from: event.from, to: event.to } } };
    case "reordered":
      return { changes: { previous_projects_v2_item_node_id: { from: null, to: null } } };
    case "created":
    case "deleted":
      return {};
  }
}

function fieldValue(event: Extract<ProjectEvent, { action: "edited"; name: "projects_v2_item" }>) {
  return {
    field_node_id: event.field.nodeId,
    field_type: event.field.dataType.toLowerCase(),
    field_name: event.field.name,
    project_number: event.item.project.number,
    from: event.from,
    to: event.to,
  };
}

function installationPayload(
  world: World,
  event: InstallationEvent & { readonly sender: User },
): Payload {
  const { installation } = event;
  const base = {
    action: event.action,
    installation: installationView(world, installation),
    sender: accountView(world, event.sender),
  };
  const more =
    event.name === "installation"
      ? {}
      : {
          repository_selection: installation.selection,
          repositories_added: event.action === "added" ? event.repositories.map(brief) : [],
          repositories_removed: event.action === "removed" ? event.repositories.map(brief) : [],
          requester: null,
        };
  return { about: installation.account, repository: null, body: { ...base, ...more } };
}

function brief(repository: Repository) {
  return {
    id: repository.id,
    node_id: repository.nodeId,
    name: repository.name,
    full_name: `${repository.owner.login}/${repository.name}`,
    private: repository.isPrivate,
  };
}
