import { grants } from "../../auth/permission.ts";
import { findField } from "../../model/project.ts";
import type { FieldOption, Project, ProjectField } from "../../model/project.ts";
import { projectPath } from "../resolve/addresses.ts";
import { connection } from "../resolve/connection.ts";
import type { PageArguments } from "../resolve/connection.ts";
import { unresolvable } from "../resolve/graphql-problem.ts";
import { matchesQuery } from "../resolve/item-query.ts";
import type { Fields } from "../resolve/resolver.ts";

type Page = PageArguments;

export const projectFields: Fields<Project> = {
  id: (project) => project.nodeId,
  databaseId: (project) => project.id,
  fullDatabaseId: (project) => String(project.id),
  number: (project) => project.number,
  title: (project) => project.title,
  closed: (project) => project.closed,
  public: (project) => project.isPublic,
  owner: (project) => project.owner,
  creator: (project) => project.creator,
  createdAt: (project) => project.createdAt,
  updatedAt: (project) => project.updatedAt,
  shortDescription: () => null,
  readme: () => null,
  template: () => false,
  url: (project, _: unknown, { world }) => `${world.url}${projectPath(project)}`,
  resourcePath: (project) => projectPath(project),
  viewerCanUpdate: (_, __: unknown, viewer) => grants(viewer.token, "organization_projects=write"),
  field: (project, { name }: { readonly name: string }) => {
    const field = findField(project, name);
    if (field === undefined)
      throw unresolvable(`a ProjectV2FieldConfiguration with the name ${name}`);
    return field;
  },
  fields: (project, page: Page) => connection({ name: "fields", all: project.fields }, page),
  items: (project, args: Page & { readonly query?: string | null }) => {
    const all = project.items.filter(
      (item) => item.archivedAt === null && matchesQuery(item, args.query ?? ""),
    );
    return connection({ name: "items", all }, args);
  },
};

const commonFields: Fields<ProjectField> = {
  id: (field) => field.nodeId,
  databaseId: (field) => field.id,
  name: (field) => field.name,
  dataType: (field) => field.dataType,
  project: (field) => field.project,
  createdAt: (field) => field.createdAt,
  updatedAt: (field) => field.updatedAt,
};

export const plainFieldFields = commonFields;

export const selectFieldFields: Fields<ProjectField> = {
  ...commonFields,
  options: (field, { names }: { readonly names?: readonly string[] | null }) =>
    field.options.filter((option) => !names || names.includes(option.name)),
};

export const optionFields: Fields<FieldOption> = {
  id: (option) => option.id,
  name: (option) => option.name,
  color: (option) => option.color,
  description: (option) => option.description,
};
