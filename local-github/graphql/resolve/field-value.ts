import { findField } from "../../model/project.ts";
import type { FieldValue, ProjectField, ProjectItem } from "../../model/project.ts";

/** Holds the value that one card has in one field. */
export interface CardValue {
  readonly kind: "card-value";
  readonly item: ProjectItem;
  readonly field: ProjectField;
  readonly value: string | number;
  /** It is absent for the title, which belongs to the content. */
  readonly stored?: FieldValue;
}

/** Finds the value; answers null when the field does not exist or the card has nothing in it. */
export function cardValue(item: ProjectItem, fieldName: string): CardValue | null {
  const field = findField(item.project, fieldName);
  return field === undefined ? null : valueIn(item, field);
}

export function cardValues(item: ProjectItem): readonly CardValue[] {
  return item.project.fields.flatMap((field) => valueIn(item, field) ?? []);
}

function valueIn(item: ProjectItem, field: ProjectField): CardValue | null {
  if (field.dataType === "TITLE") {
    return { kind: "card-value", item, field, value: item.content.title };
  }
  const stored = item.values.get(field.nodeId);
  return stored ? { kind: "card-value", item, field, value: stored.value, stored } : null;
}
