import type { Comment } from "../../model/issue.ts";
import type { World } from "../../model/world.ts";
import { accountView } from "./account.ts";
import { associationOf } from "./association.ts";
import { issueApi, threadPage } from "./issue.ts";
import { reactionsView } from "./reactions.ts";
import { repositoryApi } from "./repository.ts";

export function commentView(world: World, comment: Comment) {
  const api = `${repositoryApi(world, comment.on.repository)}/issues/comments/${comment.id}`;
  return {
    id: comment.id,
    node_id: comment.nodeId,
    url: api,
    html_url: `${threadPage(world, comment.on)}#issuecomment-${comment.id}`,
    issue_url: issueApi(world, comment.on),
    user: accountView(world, comment.author),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: associationOf(comment.on.repository, comment.author),
    reactions: reactionsView(api, comment.reactions),
    performed_via_github_app: null,
  };
}
