import type { Review } from "../../model/pull-request.ts";
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
