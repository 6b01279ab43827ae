import type { RepoConfig } from "../../config/schema/repo-config.ts";
import type { Issue } from "../../domain/board.ts";
import { MAX_CONTENDERS } from "../../domain/contenders.ts";
import type { Priority, Size } from "../../domain/plan.ts";
import type { TaskSpec } from "../../domain/task.ts";
import { quote } from "../../shared/quote.ts";

/** An issue's labels say this; GitHub ignores their letter case. */
export type TaskLabels = Pick<
  TaskSpec,
  "parallelSafe" | "exclusive" | "priority" | "size" | "runner" | "contenders"
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
  const counts = [...new Set(valuesAfter(names.candidatesPrefix, labels))];
  const countProblem = contendersProblem(counts, names.candidatesPrefix);
  return {
    parallelSafe: has(names.parallelSafe) || parents.includes(names.parallelSafe.toLowerCase()),
    exclusive: has(names.exclusive),
    priority: priorityFrom(has(names.priorityHigh), has(names.priorityLow)),
    // With several sizes the largest is the safe estimate.
    size: SIZES.find((size) => sizes.includes(size)),
    runner: runners[0],
    // Every task has one contender: if it is left out, the task is the same as without the label.
    ...(countProblem === undefined && Number(counts[0] ?? 1) > 1
      ? { contenders: Number(counts[0]) }
      : {}),
    problem: runnerProblem(runners) ?? countProblem,
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

function contendersProblem(counts: readonly string[], prefix: string): string | undefined {
  const bad = counts.find((count) => !/^[1-9]$/.test(count) || Number(count) > MAX_CONTENDERS);
  if (bad !== undefined) {
    return `label ${quote(`${prefix}${bad}`)} asks for no number of contenders from 1 to ${MAX_CONTENDERS}`;
  }
  if (counts.length < 2) return undefined;
  return `labels ask for ${counts.join(" and for ")} contenders: keep one`;
}
