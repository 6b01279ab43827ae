import type { Account, User } from "../../model/account.ts";
import type { FieldFact } from "../../model/event.ts";
import { identity, optionId } from "../../model/ids.ts";
import { Problem } from "../../model/problem.ts";
import { findField, optionOf } from "../../model/project.ts";
import type {
  FieldOption,
  FieldType,
  OptionColor,
  Project,
  ProjectField,
  ProjectItem,
} from "../../model/project.ts";
import { announce, register, stamp } from "../../model/world.ts";
import type { World } from "../../model/world.ts";
import { record } from "./timeline.ts";

export interface NewProject {
  readonly title: string;
  readonly columns: readonly string[];
  readonly actor: User;
}

/** Makes a project with the fields Title and Status. */
export function createProject(world: World, owner: Account, wanted: NewProject): Project {
  const project: Project = register(world, {
    kind: "project",
    ...identity(world, "PVT"),
    number: world.projects.filter((other) => other.owner === owner).length + 1,
    owner,
    creator: wanted.actor,
    title: wanted.title,
    closed: false,
    isPublic: false,
    fields: [],
    items: [],
    createdAt: stamp(world),
    updatedAt: stamp(world),
  });
  world.projects.push(project);
  createField(world, project, { name: "Title", dataType: "TITLE" });
  const options = wanted.columns.map((name) => ({ name }));
  createField(world, project, { name: "Status", dataType: "SINGLE_SELECT", options });
  announce(world, { name: "projects_v2", action: "created", project, sender: wanted.actor });
  return project;
}

export interface NewField {
  readonly name: string;
  readonly dataType: FieldType;
  readonly options?: readonly {
    readonly name: string;
    readonly color?: OptionColor;
    readonly description?: string;
  }[];
}

export function createField(world: World, project: Project, wanted: NewField): ProjectField {
  if (findField(project, wanted.name) !== undefined) {
    throw new Problem(422, "Name has already been taken");
  }
  const options = (wanted.options ?? []).map((option): FieldOption => ({
    id: optionId(wanted.name, option.name),
    name: option.name,
    color: option.color ?? "GRAY",
    description: option.description ?? "",
  }));
  const field: ProjectField = register(world, {
    kind: "project-field",
    ...identity(world, wanted.dataType === "SINGLE_SELECT" ? "PVTSSF" : "PVTF"),
    project,
    name: wanted.name,
    dataType: wanted.dataType,
    options,
    createdAt: stamp(world),
    updatedAt: stamp(world),
  });
  project.fields.push(field);
  return field;
}

export interface NewItem {
  readonly content: ProjectItem["content"];
  readonly actor: User;
  /** The item is added from within this column: it has that status from the beginning, and no move is recorded. */
  readonly column?: FieldOption;
}

/** Adds an item. If the content is already on the board, answers the item that is there. */
export function addItem(world: World, project: Project, wanted: NewItem): ProjectItem {
  const present = project.items.find((item) => item.content === wanted.content);
  if (present !== undefined) return present;
  const item: ProjectItem = register(world, {
    kind: "project-item",
    ...identity(world, "PVTI"),
    project,
    content: wanted.content,
    creator: wanted.actor,
    values: new Map(),
    createdAt: stamp(world),
    updatedAt: stamp(world),
    archivedAt: null,
  });
  project.items.push(item);
  if (wanted.column !== undefined) {
    const [field, updatedAt] = [statusField(project), item.updatedAt];
    const { nodeId } = identity(world, "PVTFV");
    const value = { nodeId, field, value: wanted.column.id, creator: wanted.actor, updatedAt };
    item.values.set(field.nodeId, value);
  }
  recordPresence(world, item, { event: "added_to_project_v2", actor: wanted.actor });
  announce(world, { name: "projects_v2_item", action: "created", item, sender: wanted.actor });
  return item;
}

function recordPresence(
  world: World,
  { content, project }: ProjectItem,
  fact: {
    readonly event: "added_to_project_v2" | "removed_from_project_v2";
    readonly actor: User;
  },
): void {
  if (content.kind === "draft-issue") return;
  const { event, actor } = fact;
  record(world, content, { actor, what: { event, projectNodeId: project.nodeId } });
}

export interface FieldChange {
  readonly field: ProjectField;
  /** For a single select this is the option's id; `null` clears the field. */
  readonly value: string | number | null;
  readonly actor: User;
}

/** Sets a field. Setting it to the value it already has tells nobody, as on GitHub. */
export function setFieldValue(world: World, item: ProjectItem, change: FieldChange): void {
  const { field, value, actor } = change;
  refuseUnknownOption(field, value);
  const before = item.values.get(field.nodeId);
  if ((before?.value ?? null) === value) return;
  const from = factOf(field, before?.value ?? null);
  item.updatedAt = stamp(world);
  if (value === null) item.values.delete(field.nodeId);
  else {
    const { nodeId } = identity(world, "PVTFV");
    item.values.set(field.nodeId, {
      nodeId,
      field,
      value,
      creator: actor,
      updatedAt: item.updatedAt,
    });
  }
  const to = factOf(field, value);
  recordStatus(world, item, { field, actor, from, to });
  announce(world, {
    name: "projects_v2_item",
    action: "edited",
    item,
    field,
    from,
    to,
    sender: actor,
  });
}

function refuseUnknownOption(field: ProjectField, value: FieldChange["value"]): void {
  if (field.dataType !== "SINGLE_SELECT" || value === null) return;
  if (field.options.some((option) => option.id === value)) return;
  throw new Problem(422, "The single select option Id does not belong to the field");
}

function factOf(field: ProjectField, value: FieldChange["value"]): FieldFact {
  if (field.dataType !== "SINGLE_SELECT") return value;
  return field.options.find((option) => option.id === value) ?? null;
}

function recordStatus(
  world: World,
  item: ProjectItem,
  change: {
    readonly field: ProjectField;
    readonly actor: User;
    readonly from: FieldFact;
    readonly to: FieldFact;
  },
): void {
  if (change.field.name !== "Status" || item.content.kind === "draft-issue") return;
  record(world, item.content, {
    actor: change.actor,
    what: {
      event: "project_v2_item_status_changed",
      projectNodeId: item.project.nodeId,
      previousStatus: nameOf(change.from),
      status: nameOf(change.to),
    },
  });
}

function nameOf(fact: FieldFact): string {
  return typeof fact === "object" && fact !== null ? fact.name : "";
}

/** Moves a card to a column, which is named by the option's id. */
export function setItemStatus(
  world: World,
  item: ProjectItem,
  change: { readonly optionId: string | null; readonly actor: User },
): void {
  setFieldValue(world, item, {
    field: statusField(item.project),
    value: change.optionId,
    actor: change.actor,
  });
}

export function statusField(project: Project): ProjectField {
  const field = findField(project, "Status");
  if (field === undefined) throw new Problem(422, `project ${project.title} has no Status field`);
  return field;
}

export function statusName(item: ProjectItem): string | null {
  return optionOf(item, statusField(item.project))?.name ?? null;
}

export function archiveItem(
  world: World,
  item: ProjectItem,
  wanted: { readonly archived: boolean; readonly actor: User },
): void {
  const from = item.archivedAt;
  if ((from !== null) === wanted.archived) return;
  item.archivedAt = wanted.archived ? stamp(world) : null;
  item.updatedAt = stamp(world);
  announce(world, {
    name: "projects_v2_item",
    action: wanted.archived ? "archived" : "restored",
    item,
    from,
    to: item.archivedAt,
    sender: wanted.actor,
  });
}

/** Puts an item behind another one, or first. */
export function moveItem(
  world: World,
  item: ProjectItem,
  wanted: { readonly after: ProjectItem | null; readonly actor: User },
): void {
  const { items } = item.project;
  items.splice(items.indexOf(item), 1);
  items.splice(wanted.after === null ? 0 : items.indexOf(wanted.after) + 1, 0, item);
  item.updatedAt = stamp(world);
  announce(world, { name: "projects_v2_item", action: "reordered", item, sender: wanted.actor });
}

export function deleteItem(world: World, item: ProjectItem, actor: User): void {
  const { items } = item.project;
  items.splice(items.indexOf(item), 1);
  world.nodes.delete(item.nodeId);
  recordPresence(world, item, { event: "removed_from_project_v2", actor });
  announce(world, { name: "projects_v2_item", action: "deleted", item, sender: actor });
}
