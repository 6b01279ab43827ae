import type { Thread, TimelineEvent } from "../../model/issue.ts";
import type { World } from "../../model/world.ts";
import { accountView } from "./account.ts";
import { commentView } from "./comment.ts";
import { repositoryApi } from "./repository.ts";

export function timelineEventView(world: World, thread: Thread, entry: TimelineEvent) {
  const { what } = entry;
  const actor = accountView(world, entry.actor);
  if (what.event === "commented") {
    return { ...commentView(world, what.comment), event: what.event, actor };
  }
  const api = repositoryApi(world, thread.repository);
  const sha = "commitSha" in what ? what.commitSha : null;
  return {
    id: entry.id,
    node_id: entry.nodeId,
    url: `${api}/issues/events/${entry.id}`,
    actor,
    event: what.event,
    commit_id: sha,
    commit_url: sha === null ? null : `${api}/commits/${sha}`,
    created_at: entry.createdAt,
    performed_via_github_app: null,
    ...details(what),
  };
}

function details(what: TimelineEvent["what"]) {
  switch (what.event) {
    case "labeled":
    case "unlabeled":
      return { label: { name: what.label.name, color: what.label.color } };
    case "renamed":
      return { rename: { from: what.from, to: what.to } };
    case "closed":
    case "reopened":
      return { state_reason: what.reason };
    case "commented":
    case "merged":
    case "added_to_project_v2":
    case "removed_from_project_v2":
    case "project_v2_item_status_changed":
      return {};
  }
}
