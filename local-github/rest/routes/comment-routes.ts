import { addComment, deleteComment, editComment, react } from "../../actions/threads/comments.ts";
import { threadsOf } from "../../model/find.ts";
import type { Comment } from "../../model/issue.ts";
import { notFound, Problem } from "../../model/problem.ts";
import { oneOf, requiredText } from "../request/body.ts";
import { listAnswer } from "../request/pages.ts";
import { repoRoute } from "../request/route.ts";
import type { RepoCall, Route } from "../request/route.ts";
import { threadIn } from "../request/thread-in.ts";
import { commentView } from "../view/comment.ts";
import { REACTIONS, reactionView } from "../view/reactions.ts";

const READ = "issues=read; pull_requests=read";
const WRITE = "issues=write; pull_requests=write";

export const COMMENT_ROUTES: readonly Route[] = [
  repoRoute("GET", "/issues/{issue_number}/comments", {
    needs: READ,
    answer: (call) =>
      listAnswer(call, threadIn(call).comments, (comment) => commentView(call.world, comment)),
  }),
  repoRoute("POST", "/issues/{issue_number}/comments", {
    needs: WRITE,
    answer: (call) => {
      const words = { body: requiredText(call.body, "body"), actor: call.actor };
      const comment = addComment(call.world, threadIn(call), words);
      return { status: 201, body: commentView(call.world, comment) };
    },
  }),
  repoRoute("GET", "/issues/comments/{comment_id}", {
    needs: READ,
    answer: (call) => ({ status: 200, body: commentView(call.world, commentIn(call)) }),
  }),
  repoRoute("PATCH", "/issues/comments/{comment_id}", {
    needs: WRITE,
    answer: (call) => {
      const comment = commentIn(call);
      const words = { body: requiredText(call.body, "body"), actor: call.actor };
      editComment(call.world, comment, words);
      return { status: 200, body: commentView(call.world, comment) };
    },
  }),
  repoRoute("POST", "/issues/comments/{comment_id}/reactions", {
    needs: WRITE,
    answer: (call) => {
      const content = oneOf(call.body, "content", REACTIONS);
      if (content === undefined) throw new Problem(422, "Validation Failed");
      const { reaction, fresh } = react(call.world, commentIn(call), {
        content,
        actor: call.actor,
      });
      return { status: fresh ? 201 : 200, body: reactionView(call.world, reaction) };
    },
  }),
  repoRoute("DELETE", "/issues/comments/{comment_id}", {
    needs: WRITE,
    answer: (call) => {
      deleteComment(call.world, commentIn(call), call.actor);
      return { status: 204 };
    },
  }),
];

function commentIn({ world, repository, params }: RepoCall): Comment {
  const comments = threadsOf(world, repository).flatMap((thread) => thread.comments);
  const comment = comments.find(({ id }) => String(id) === params["comment_id"]);
  if (comment === undefined) throw notFound();
  return comment;
}
