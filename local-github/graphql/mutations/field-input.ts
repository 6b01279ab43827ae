import { Problem } from "../../model/problem.ts";
import type { FieldType, ProjectField } from "../../model/project.ts";
import { GraphqlProblem } from "../resolve/graphql-problem.ts";

/** Holds a value for a board's field: exactly one member is set, the one that fits the field's type. */
export interface WantedValue {
  readonly text?: string | null;
  readonly number?: number | null;
  readonly date?: string | null;
  readonly singleSelectOptionId?: string | null;
}

const MEMBERS = {
  TEXT: ["text", "text value"],
  NUMBER: ["number", "number value"],
  DATE: ["date", "date value"],
  SINGLE_SELECT: ["singleSelectOptionId", "single select option Id"],
} as const satisfies Partial<Record<FieldType, readonly [keyof WantedValue, string]>>;

export function storedValue(field: ProjectField, wanted: WantedValue): string | number {
  if (field.dataType === "TITLE") {
    throw new GraphqlProblem("VALIDATION", "The field of type title is currently not supported.");
  }
  const [member, words] = MEMBERS[field.dataType];
  const value = wanted[member];
  if (value === undefined || value === null) {
    throw new GraphqlProblem(
      "VALIDATION",
      `Did not receive a ${words} to update a field of type ${field.dataType.toLowerCase()}`,
    );
  }
  return value;
}

/** Turns a refusal of the model into a validation problem, as GitHub's boards call it. */
export function validated<T>(change: () => T): T {
  try {
    return change();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new GraphqlProblem("VALIDATION", error.message);
  }
}
