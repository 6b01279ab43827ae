import type { RepoName } from "../domain/ids.ts";
import type { NewLabel, NewProjectField } from "../ports/inspection.ts";
import type { RepoReading } from "./repo-reading.ts";
import { missingFields } from "./wanted-fields.ts";
import { missingLabels } from "./wanted-labels.ts";

/** Something that is missing on GitHub and may be made. */
export type Furniture =
  | { readonly kind: "label"; readonly repo: RepoName; readonly label: NewLabel }
  | { readonly kind: "field"; readonly repo: RepoName; readonly field: NewProjectField };

/** What to make for a repository: fields and labels that are missing. Columns are people's own. */
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
