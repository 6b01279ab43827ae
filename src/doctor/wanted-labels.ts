import { labelNames, ROLES } from "../config/label-names.ts";
import type { RepoConfig } from "../config/schema.ts";
import type { NewLabel } from "../ports/inspection.ts";

/** Labels that people are going to look for, with what GitHub shows beside them. */
export function wantedLabels({ labels, board }: RepoConfig): readonly NewLabel[] {
  const label = (name: string, color: string, description: string): NewLabel => ({
    ...{ name, color, description },
  });
  const ofTasks = [
    label(labels.parallelSafe, "0e8a16", "May run beside others"),
    label(labels.exclusive, "d93f0b", "Runs alone in its repository"),
    label(labels.priorityHigh, "b60205", "Goes first"),
    label(labels.priorityLow, "c5def5", "Goes last"),
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
