import { labelNames, ROLES } from "../../config/repository/label-names.ts";
import type { RepoConfig } from "../../config/schema/repo-config.ts";
import type { RepoName } from "../../domain/ids.ts";
import type {
  NewLabel,
  NewProjectField,
  ProjectFacts,
  ProjectField,
} from "../../ports/inspection.ts";
import type { RepoReading } from "./repo-reading.ts";

/** It is missing on GitHub and may be made. */
export type Furniture =
  | { readonly kind: "label"; readonly repo: RepoName; readonly label: NewLabel }
  | { readonly kind: "field"; readonly repo: RepoName; readonly field: NewProjectField };

/** The app fills these fields of a project; each has the type that shows best what it writes. */
const WANTED: Readonly<Record<string, FieldType>> = {
  Wave: "NUMBER",
  Runner: "TEXT",
  Attempt: "NUMBER",
  Cost: "NUMBER",
  Reason: "TEXT",
};

/** Fields of these types can hold what the app writes. */
const USABLE = ["TEXT", "NUMBER", "SINGLE_SELECT"];

/** Decides what to make for a repository: fields and labels that are missing. Columns are left to people. */
export function decideSetup({ installed: { repo }, more }: RepoReading): readonly Furniture[] {
  if (more === undefined) return [];
  const { config, labels, project } = more;
  const missing = labels.ok ? missingLabels(config, labels.value) : [];
  const fields =
    project?.ok === true && project.value?.writable === true ? missingFields(project.value) : [];
  return [
    ...fields.map((field) => ({ kind: "field", repo, field }) as const),
    ...missing.map((label) => ({ kind: "label", repo, label }) as const),
  ];
}

type FieldType = NewProjectField["type"];

export function missingFields({ id, fields }: ProjectFacts): readonly NewProjectField[] {
  return Object.entries(WANTED)
    .filter(([name]) => fieldCalled(name, fields) === undefined)
    .map(([name, type]) => ({ project: id, name, type }));
}

/** Returns fields that have the right name but a type that the app leaves alone. */
export function unusableFields({ fields }: ProjectFacts): readonly ProjectField[] {
  return Object.keys(WANTED).flatMap((name) => {
    const field = fieldCalled(name, fields);
    return field === undefined || USABLE.includes(field.type) ? [] : [field];
  });
}

function fieldCalled(wanted: string, fields: readonly ProjectField[]): ProjectField | undefined {
  return fields.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
}

/** Returns the labels that people are going to look for, with the text that GitHub shows beside them. */
function wantedLabels({ labels, board }: RepoConfig): readonly NewLabel[] {
  const label = (name: string, color: string, description: string): NewLabel => ({
    name,
    color,
    description,
  });
  const ofTasks = [
    label(labels.parallelSafe, "0e8a16", "May run beside others"),
    label(labels.exclusive, "d93f0b", "Runs alone in its repository"),
    label(labels.priorityHigh, "b60205", "Goes first"),
    label(labels.priorityLow, "c5def5", "Goes last"),
    label(labels.explore, "1d76db", "Tries the ideas of its section Explore, and takes the best"),
    label(labels.objective, "5319e7", "Too big for one run; its sub-issues are the tasks"),
  ];
  if (board.kind !== "labels") return ofTasks;
  const names = labelNames(board);
  return [...ofTasks, ...ROLES.map((role) => label(names[role], "fbca04", `Column: ${role}`))];
}

/** GitHub takes names that differ only in their case for the same. */
export function missingLabels(config: RepoConfig, present: readonly string[]): readonly NewLabel[] {
  const known = new Set(present.map((name) => name.toLowerCase()));
  return wantedLabels(config).filter(({ name }) => !known.has(name.toLowerCase()));
}
