import type { DraftIssue, ProjectItem } from "../../model/project.ts";
import { connection } from "../resolve/connection.ts";
import type { PageArguments } from "../resolve/connection.ts";
import { cardValue, cardValues } from "../resolve/field-value.ts";
import type { CardValue } from "../resolve/field-value.ts";
import type { Fields } from "../resolve/resolver.ts";
import { canSee } from "../resolve/viewer.ts";
import type { Viewer } from "../resolve/viewer.ts";

const ITEM_TYPES = {
  issue: "ISSUE",
  "pull-request": "PULL_REQUEST",
  "draft-issue": "DRAFT_ISSUE",
} as const;

export const projectItemFields: Fields<ProjectItem> = {
  id: (item) => item.nodeId,
  databaseId: (item) => item.id,
  fullDatabaseId: (item) => String(item.id),
  project: (item) => item.project,
  creator: (item) => item.creator,
  createdAt: (item) => item.createdAt,
  updatedAt: (item) => item.updatedAt,
  isArchived: (item) => item.archivedAt !== null,
  type: (item, _: unknown, viewer) =>
    isRedacted(item, viewer) ? "REDACTED" : ITEM_TYPES[item.content.kind],
  content: (item, _: unknown, viewer) => (isRedacted(item, viewer) ? null : item.content),
  fieldValueByName: (item, { name }: { readonly name: string }, viewer) =>
    isRedacted(item, viewer) ? null : cardValue(item, name),
  fieldValues: (item, page: PageArguments, viewer) => {
    const all = isRedacted(item, viewer) ? [] : cardValues(item);
    return connection({ name: "fieldValues", all }, page);
  },
};

/** Says whether a card shows nothing but its presence, because its repository is not open to the token. */
function isRedacted({ content }: ProjectItem, viewer: Viewer): boolean {
  return content.kind !== "draft-issue" && !canSee(viewer, content.repository);
}

export const draftIssueFields: Fields<DraftIssue> = {
  id: (draft) => draft.nodeId,
  title: (draft) => draft.title,
  body: (draft) => draft.body,
  bodyText: (draft) => draft.body,
  creator: (draft) => draft.creator,
  createdAt: (draft) => draft.createdAt,
  updatedAt: (draft) => draft.updatedAt,
  assignees: (_, page: PageArguments) => connection({ name: "assignees", all: [] }, page),
};

const valueFields: Fields<CardValue> = {
  id: (value) => value.stored?.nodeId ?? `PVTFV_${value.item.nodeId}`,
  item: (value) => value.item,
  field: (value) => value.field,
  creator: (value) => value.stored?.creator ?? value.item.creator,
  createdAt: (value) => value.stored?.updatedAt ?? value.item.createdAt,
  updatedAt: (value) => value.stored?.updatedAt ?? value.item.updatedAt,
};

export const valueTypeFields = {
  ProjectV2ItemFieldTextValue: { ...valueFields, text: (value: CardValue) => value.value },
  ProjectV2ItemFieldNumberValue: { ...valueFields, number: (value: CardValue) => value.value },
  ProjectV2ItemFieldDateValue: { ...valueFields, date: (value: CardValue) => value.value },
  ProjectV2ItemFieldSingleSelectValue: {
    ...valueFields,
    optionId: (value: CardValue) => value.value,
    name: (value: CardValue) => chosen(value)?.name ?? null,
    color: (value: CardValue) => chosen(value)?.color ?? "GRAY",
    description: (value: CardValue) => chosen(value)?.description ?? null,
  },
} satisfies Readonly<Record<string, Fields<CardValue>>>;

function chosen({ field, value }: CardValue): CardValue["field"]["options"][number] | undefined {
  return field.options.find((option) => option.id === value);
}
