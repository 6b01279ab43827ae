import { grants, notAccessible } from "../../auth/permission.ts";
import type { InstallationToken } from "../../model/app.ts";
import { findProject } from "../../model/find.ts";
import { notFound } from "../../model/problem.ts";
import type { ProjectItem } from "../../model/project.ts";
import { listAnswer } from "../request/pages.ts";
import type { Answer, RestCall, Route } from "../request/route.ts";
import { issueView } from "../view/issue.ts";
import { projectItemView } from "../view/project-item.ts";

export const PROJECT_ROUTES: readonly Route[] = [
  {
    for: "installation",
    method: "GET",
    template: "/orgs/{org}/projectsV2/{project_number}/items",
    answer: listItems,
  },
  {
    for: "installation",
    method: "GET",
    template: "/users/{username}/projectsV2/{project_number}/items",
    answer: listItemsOfPerson,
  },
];

type ItemsCall = RestCall & { readonly token: InstallationToken };

function listItems(call: ItemsCall): Answer {
  if (!grants(call.token, "organization_projects=read")) {
    throw notAccessible("organization_projects=read");
  }
  return listIn(call, call.params["org"]);
}

/** Lists the items of a person's project. No App and no fine-grained token may do this. */
function listItemsOfPerson(call: ItemsCall): Answer {
  const { person } = call.token;
  if (person === undefined) throw notAccessible("");
  const scoped = person.scopes.some((scope) => scope === "project" || scope === "read:project");
  if (!scoped || person.user.login !== call.params["username"]) throw notFound();
  return listIn(call, call.params["username"]);
}

function listIn(call: ItemsCall, owner: string | undefined): Answer {
  const number = Number(call.params["project_number"]);
  const project = findProject(call.world, owner ?? "", number);
  if (project === undefined) throw notFound();
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
