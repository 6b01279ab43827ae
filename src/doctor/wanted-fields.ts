import type { NewProjectField, ProjectFacts, ProjectField } from "../ports/inspection.ts";

type FieldType = NewProjectField["type"];

/** Fields of a project that the app fills, with the type that shows best what it writes. */
const WANTED: Readonly<Record<string, FieldType>> = {
  Wave: "NUMBER",
  Runner: "TEXT",
  Attempt: "NUMBER",
  Cost: "NUMBER",
  Reason: "TEXT",
};

/** Types that can hold what the app writes. */
const USABLE = ["TEXT", "NUMBER", "SINGLE_SELECT"];

export function missingFields({ id, fields }: ProjectFacts): readonly NewProjectField[] {
  return Object.entries(WANTED)
    .filter(([name]) => fieldCalled(name, fields) === undefined)
    .map(([name, type]) => ({ project: id, name, type }));
}

/** Fields that have the right name and a type that the app leaves alone. */
export function unusableFields({ fields }: ProjectFacts): readonly ProjectField[] {
  return Object.keys(WANTED).flatMap((name) => {
    const field = fieldCalled(name, fields);
    return field === undefined || USABLE.includes(field.type) ? [] : [field];
  });
}

function fieldCalled(wanted: string, fields: readonly ProjectField[]): ProjectField | undefined {
  return fields.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
}
