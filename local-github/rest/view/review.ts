import type { Review, ReviewComment } from "../../model/pull-request.ts";
import type { World } from "../../model/world.ts";
import { accountView } from "./account.ts";
import { associationOf } from "./association.ts";
import { threadPage } from "./issue.ts";
import { repositoryApi } from "./repository.ts";

export function reviewView(world: World, review: Review) {
  const { pull } = review;
  const page = `${threadPage(world, pull)}#pullrequestreview-${review.id}`;
  const api = `${repositoryApi(world, pull.repository)}/pulls/${pull.number}`;
  return {
    id: review.id,
    node_id: review.nodeId,
    user: accountView(world, review.author),
    body: review.body,
    state: review.state,
    html_url: page,
    pull_request_url: api,
    _links: { html: { href: page }, pull_request: { href: api } },
    submitted_at: review.submittedAt,
    commit_id: review.commitSha,
    author_association: associationOf(pull.repository, review.author),
  };
}

export function reviewCommentView(world: World, review: Review, comment: ReviewComment) {
  const { pull } = review;
  const page = `${threadPage(world, pull)}#discussion_r${comment.id}`;
  const root = repositoryApi(world, pull.repository);
  const [api, url] = [`${root}/pulls/${pull.number}`, `${root}/pulls/comments/${comment.id}`];
  return {
    url,
    id: comment.id,
    node_id: comment.nodeId,
    pull_request_review_id: review.id,
    diff_hunk: "",
    path: comment.path,
    line: comment.line,
    original_line: comment.line,
    side: "RIGHT",
    commit_id: review.commitSha,
    original_commit_id: review.commitSha,
    user: accountView(world, review.author),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.createdAt,
    html_url: page,
    pull_request_url: api,
    author_association: associationOf(pull.repository, review.author),
    _links: { self: { href: url }, html: { href: page }, pull_request: { href: api } },
  };
}
