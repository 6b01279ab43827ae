import type { PullRequestEvent } from "../model/event.ts";
import type { World } from "../model/world.ts";
import { labelView } from "../rest/view/label.ts";
import { pullView } from "../rest/view/pull-request.ts";
import { reviewView } from "../rest/view/review.ts";
import type { Said } from "./said.ts";

export function pullPayload(world: World, event: PullRequestEvent): Said {
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
    case "dequeued":
      return { reason: event.reason };
    case "enqueued":
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
    // The state is lower case here and upper case in the REST API.
    review: {
      ...reviewView(world, review),
      state: review.state.toLowerCase(),
      updated_at: review.updatedAt,
    },
    pull_request: Object.fromEntries(pull),
  };
  return { repository: review.pull.repository, body };
}
