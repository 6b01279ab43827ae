import type { RepoConfig } from "../config/schema.ts";
import type { Issue } from "../domain/board.ts";
import type { Priority, Size } from "../domain/plan.ts";
import type { TaskSpec } from "../domain/task.ts";
import { quote } from "../shared/quote.ts";

/** What an issue's labels say; GitHub does not tell the case of labels apart. */
export type TaskLabels = Pick<
  TaskSpec,
  "parallelSafe" | "exclusive" | "priority" | "size" | "runner"
> & {
  readonly problem: string | undefined;
};

const SIZES: readonly Size[] = ["xl", "l", "m", "s"];

export function taskLabels(issue: Issue, names: RepoConfig["labels"]): TaskLabels {
  const labels = issue.labels.map((label) => label.trim().toLowerCase());
  const has = (name: string) => labels.includes(name.toLowerCase());
  const parents = issue.parent?.labels.map((label) => label.trim().toLowerCase()) ?? [];
  const runners = [...new Set(valuesAfter(names.runnerPrefix, labels))];
  const sizes = valuesAfter(names.sizePrefix, labels);
  return {
    parallelSafe: has(names.parallelSafe) || parents.includes(names.parallelSafe.toLowerCase()),
    exclusive: has(names.exclusive),
    priority: priorityFrom(has(names.priorityHigh), has(names.priorityLow)),
    // With several sizes the largest is the safe estimate.
    size: SIZES.find((size) => sizes.includes(size)),
    runner: runners[0],
    problem: runnerProblem(runners),
  };
}

function valuesAfter(prefix: string, labels: readonly string[]): readonly string[] {
  const start = prefix.toLowerCase();
  return labels
    .filter((label) => label.startsWith(start) && label.length > start.length)
    .map((label) => label.slice(start.length).trim());
}

function priorityFrom(high: boolean, low: boolean): Priority {
  if (high) return "high";
  return low ? "low" : "normal";
}

function runnerProblem(runners: readonly string[]): string | undefined {
  if (runners.length < 2) return undefined;
  return `labels name ${runners.length} runners, ${runners.map(quote).join(" and ")}: keep one`;
}
