import { grants, notAccessible } from "../auth/permission.ts";
import type { ProjectItem } from "../model/project.ts";
import { notFound } from "../model/problem.ts";
import { listAnswer } from "./pages.ts";
import type { Answer, RestCall, Route } from "./route.ts";
import type { InstallationToken } from "../model/app.ts";
import { issueView } from "./view/issue.ts";
import { projectItemView } from "./view/project-item.ts";

export const PROJECT_ROUTES: readonly Route[] = [
  {
    for: "installation",
    method: "GET",
    template: "/orgs/{org}/projectsV2/{project_number}/items",
    answer: listItems,
  },
];

function listItems(call: RestCall & { readonly token: InstallationToken }): Answer {
  if (!grants(call.token, "organization_projects=read")) {
    throw notAccessible("organization_projects=read");
  }
  const { org, project_number: number } = call.params;
  const project = [...call.world.nodes.values()].find(
    (node) => node.kind === "project" && node.owner.login === org && String(node.number) === number,
  );
  if (project?.kind !== "project") throw notFound();
  const shown = project.items.filter((item) => item.archivedAt === null);
  return listAnswer(call, shown, (item) => itemView(call, item));
}

function itemView({ world }: RestCall, item: ProjectItem) {
  const view = projectItemView(world, item);
  return {
    id: view.id,
    node_id: view.node_id,
    content_type: view.content_type,
    content: item.content.kind === "issue" ? issueView(world, item.content) : null,
    creator: view.creator,
    created_at: view.created_at,
    updated_at: view.updated_at,
    archived_at: view.archived_at,
  };
}
