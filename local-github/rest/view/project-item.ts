import type { Project, ProjectItem } from "../../model/project.ts";
import type { World } from "../../model/world.ts";
import { accountView } from "./account.ts";

const CONTENT_TYPE = {
  issue: "Issue",
  "pull-request": "PullRequest",
  "draft-issue": "DraftIssue",
} as const;

/** Shows a card as webhooks do: with ids only, no number and no repository. */
export function projectItemView(world: World, item: ProjectItem) {
  return {
    id: item.id,
    node_id: item.nodeId,
    project_node_id: item.project.nodeId,
    content_node_id: item.content.nodeId,
    content_type: CONTENT_TYPE[item.content.kind],
    creator: accountView(world, item.creator),
    created_at: item.createdAt,
    updated_at: item.updatedAt,
    archived_at: item.archivedAt,
  };
}

export function projectView(world: World, project: Project) {
  return {
    id: project.id,
    node_id: project.nodeId,
    owner: accountView(world, project.owner),
    creator: accountView(world, project.creator),
    title: project.title,
    description: null,
    short_description: null,
    public: project.isPublic,
    number: project.number,
    created_at: project.createdAt,
    updated_at: project.updatedAt,
    closed_at: project.closed ? project.updatedAt : null,
    deleted_at: null,
    deleted_by: null,
  };
}
