import { mergeState } from "../../model/merge-state.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import type { Repository } from "../../model/repository.ts";
import type { World } from "../../model/world.ts";
import { accountView } from "./account.ts";
import { associationOf } from "./association.ts";
import { issueApi, threadPage } from "./issue.ts";
import { labelView } from "./label.ts";
import { repositoryApi, repositoryView } from "./repository.ts";

/** Shows a pull request as lists do. */
export function simplePullView(world: World, pull: PullRequest) {
  return {
    ...identityOf(world, pull),
    ...pullLinks(world, pull),
    labels: pull.labels.map((label) => ({
      ...labelView(world, label),
      description: label.description ?? "",
    })),
    head: endView(world, pull.headRepository, { ref: pull.headRef, sha: pull.headSha }),
    base: endView(world, pull.repository, { ref: pull.baseRef, sha: pull.baseSha }),
  };
}

function identityOf(world: World, pull: PullRequest) {
  return {
    id: pull.pullId,
    node_id: pull.nodeId,
    number: pull.number,
    state: pull.state,
    locked: false,
    active_lock_reason: null,
    title: pull.title,
    body: pull.body,
    user: accountView(world, pull.author),
    milestone: null,
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
    closed_at: pull.closedAt,
    merged_at: pull.landing?.at ?? null,
    merge_commit_sha: pull.landing?.sha ?? null,
    assignee: null,
    assignees: pull.assignees.map((user) => accountView(world, user)),
    requested_reviewers: [],
    requested_teams: [],
    author_association: associationOf(pull.repository, pull.author),
    auto_merge: null,
    draft: pull.draft,
  };
}

function pullLinks(world: World, pull: PullRequest) {
  const page = threadPage(world, pull);
  const urls = {
    self: `${repositoryApi(world, pull.repository)}/pulls/${pull.number}`,
    html: page,
    issue: issueApi(world, pull),
    comments: `${issueApi(world, pull)}/comments`,
    review_comments: `${repositoryApi(world, pull.repository)}/pulls/${pull.number}/comments`,
    review_comment: `${repositoryApi(world, pull.repository)}/pulls/comments{/number}`,
    commits: `${repositoryApi(world, pull.repository)}/pulls/${pull.number}/commits`,
    statuses: `${repositoryApi(world, pull.repository)}/statuses/${pull.headSha}`,
  };
  return {
    url: urls.self,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: urls.issue,
    commits_url: urls.commits,
    review_comments_url: urls.review_comments,
    review_comment_url: urls.review_comment,
    comments_url: urls.comments,
    statuses_url: urls.statuses,
    _links: {
      self: { href: urls.self },
      html: { href: urls.html },
      issue: { href: urls.issue },
      comments: { href: urls.comments },
      review_comments: { href: urls.review_comments },
      review_comment: { href: urls.review_comment },
      commits: { href: urls.commits },
      statuses: { href: urls.statuses },
    },
  };
}

function endView(
  world: World,
  repository: Repository,
  end: { readonly ref: string; readonly sha: string },
) {
  const { owner } = repository;
  return {
    label: `${owner.login}:${end.ref}`,
    ...end,
    user: accountView(world, owner),
    repo: repositoryView(world, repository),
  };
}

/** Shows a pull request as `GET …/pulls/{number}` and webhooks do; `mergeable` is null until it was worked out. */
export function pullView(world: World, pull: PullRequest) {
  return {
    ...simplePullView(world, pull),
    ...mergeView(world, pull),
    merged: pull.landing !== null,
    merged_by: pull.landing === null ? null : accountView(world, pull.landing.by),
    comments: pull.comments.length,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: pull.stats.commits,
    additions: pull.stats.additions,
    deletions: pull.stats.deletions,
    changed_files: pull.stats.changedFiles,
  };
}

/** Clients see this while GitHub has not worked out whether the two ends merge. */
export const UNKNOWN_MERGE = { mergeable: null, rebaseable: null, mergeable_state: "unknown" };

function mergeView(world: World, pull: PullRequest) {
  const known = pull.mergeability;
  const fresh = known?.headSha === pull.headSha && known.baseSha === pull.baseSha;
  if (!fresh || pull.state === "closed") return UNKNOWN_MERGE;
  return {
    mergeable: known.mergeable,
    rebaseable: known.rebaseable,
    mergeable_state: mergeState(world, pull),
  };
}
