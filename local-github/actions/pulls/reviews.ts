import type { User } from "../../model/account.ts";
import { identity } from "../../model/ids.ts";
import { Problem } from "../../model/problem.ts";
import type { PullRequest, Review } from "../../model/pull-request.ts";
import { announce, register, stamp } from "../../model/world.ts";
import type { World } from "../../model/world.ts";

export interface NewReview {
  readonly state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED";
  readonly body: string;
  readonly actor: User;
  readonly comments?: readonly NewReviewComment[];
}

export interface NewReviewComment {
  readonly path: string;
  readonly line: number;
  readonly body: string;
}

export function submitReview(world: World, pull: PullRequest, wanted: NewReview): Review {
  refuseReview(pull, wanted);
  const review: Review = register(world, {
    kind: "review",
    ...identity(world, "PRR"),
    pull,
    author: wanted.actor,
    body: wanted.body,
    state: wanted.state,
    commitSha: pull.headSha,
    submittedAt: stamp(world),
    updatedAt: stamp(world),
    comments: (wanted.comments ?? []).map((comment) => ({
      ...identity(world, "PRRC"),
      ...comment,
      createdAt: stamp(world),
    })),
  });
  pull.reviews.push(review);
  pull.updatedAt = review.submittedAt;
  announce(world, {
    name: "pull_request_review",
    action: "submitted",
    review,
    sender: wanted.actor,
  });
  return review;
}

function refuseReview(pull: PullRequest, wanted: NewReview): void {
  const own = pull.author === wanted.actor;
  if (own && wanted.state === "APPROVED") {
    throw new Problem(422, "Unprocessable Entity: Can not approve your own pull request");
  }
  if (own && wanted.state === "CHANGES_REQUESTED") {
    throw new Problem(
      422,
      "Unprocessable Entity: Can not request changes on your own pull request",
    );
  }
  const isEmpty = wanted.body === "" && (wanted.comments ?? []).length === 0;
  if (wanted.state !== "APPROVED" && isEmpty) {
    throw new Problem(422, "Unprocessable Entity: Body cannot be blank");
  }
}

export function dismissReview(world: World, review: Review, actor: User): void {
  if (review.state !== "APPROVED" && review.state !== "CHANGES_REQUESTED") {
    throw new Problem(422, "Can not dismiss a commented pull request review");
  }
  review.state = "DISMISSED";
  review.updatedAt = stamp(world);
  announce(world, { name: "pull_request_review", action: "dismissed", review, sender: actor });
}
