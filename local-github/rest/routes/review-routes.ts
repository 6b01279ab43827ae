import { dismissReview, submitReview } from "../../actions/pulls/reviews.ts";
import { notFound } from "../../model/problem.ts";
import type { PullRequest } from "../../model/pull-request.ts";
import { oneOf, optionalText, requiredText } from "../request/body.ts";
import { listAnswer } from "../request/pages.ts";
import { repoRoute } from "../request/route.ts";
import type { Answer, RepoCall, Route } from "../request/route.ts";
import { pullIn } from "../request/thread-in.ts";
import { reviewCommentView, reviewView } from "../view/review.ts";

const REVIEWS = "/pulls/{pull_number}/reviews";
const STATES = {
  APPROVE: "APPROVED",
  REQUEST_CHANGES: "CHANGES_REQUESTED",
  COMMENT: "COMMENTED",
} as const;

export const REVIEW_ROUTES: readonly Route[] = [
  repoRoute("GET", REVIEWS, {
    needs: "pull_requests=read",
    answer: (call) =>
      listAnswer(call, pullIn(call).reviews, (review) => reviewView(call.world, review)),
  }),
  repoRoute("GET", "/pulls/{pull_number}/comments", {
    needs: "pull_requests=read",
    answer: (call) =>
      listAnswer(call, commentsOf(pullIn(call)), ({ review, comment }) =>
        reviewCommentView(call.world, review, comment),
      ),
  }),
  repoRoute("POST", REVIEWS, { needs: "pull_requests=write", answer: submit }),
  repoRoute("PUT", `${REVIEWS}/{review_id}/dismissals`, {
    needs: "pull_requests=write",
    answer: dismiss,
  }),
];

function commentsOf({ reviews }: PullRequest) {
  return reviews.flatMap((review) => review.comments.map((comment) => ({ review, comment })));
}

function submit(call: RepoCall): Answer {
  const event = oneOf(call.body, "event", ["APPROVE", "REQUEST_CHANGES", "COMMENT"]) ?? "COMMENT";
  const review = submitReview(call.world, pullIn(call), {
    state: STATES[event],
    body: optionalText(call.body, "body") ?? "",
    actor: call.actor,
  });
  return { status: 200, body: reviewView(call.world, review) };
}

function dismiss(call: RepoCall): Answer {
  requiredText(call.body, "message");
  const { reviews } = pullIn(call);
  const review = reviews.find(({ id }) => String(id) === call.params["review_id"]);
  if (review === undefined) throw notFound();
  dismissReview(call.world, review, call.actor);
  return { status: 200, body: reviewView(call.world, review) };
}
