import type { User } from "../model/account.ts";
import type { ProjectEvent } from "../model/event.ts";
import type { World } from "../model/world.ts";
import { accountView, organizationView } from "../rest/view/account.ts";
import { projectItemView, projectView } from "../rest/view/project-item.ts";
import type { Payload } from "./said.ts";

export function projectPayload(
  world: World,
  event: ProjectEvent & { readonly sender: User },
): Payload {
  const project = event.name === "projects_v2" ? event.project : event.item.project;
  const subject =
    event.name === "projects_v2"
      ? { projects_v2: projectView(world, project) }
      : { projects_v2_item: projectItemView(world, event.item), ...itemChanges(event) };
  return {
    about: project.owner,
    repository: null,
    body: {
      action: event.action,
      ...subject,
      ...(project.owner.kind === "organization" && {
        organization: organizationView(world, project.owner),
      }),
      sender: accountView(world, event.sender),
    },
  };
}

function itemChanges(event: Extract<ProjectEvent, { name: "projects_v2_item" }>) {
  switch (event.action) {
    case "edited":
      return { changes: { field_value: fieldValue(event) } };
    case "archived":
    case "restored":
      return { changes: { archived_at: { from: event.from, to: event.to } } };
    case "reordered":
      return { changes: { previous_projects_v2_item_node_id: { from: null, to: null } } };
    case "created":
    case "deleted":
      return {};
  }
}

function fieldValue(event: Extract<ProjectEvent, { action: "edited"; name: "projects_v2_item" }>) {
  return {
    field_node_id: event.field.nodeId,
    field_type: event.field.dataType.toLowerCase(),
    field_name: event.field.name,
    project_number: event.item.project.number,
    from: event.from,
    to: event.to,
  };
}
