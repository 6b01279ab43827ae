import { taskSpecFromIssue } from "../board/task-from-issue.ts";
import type { RepoConfig } from "../config/schema.ts";
import type { Issue } from "../domain/board.ts";
import { taskIdOf } from "../domain/ids.ts";
import type { TaskSpec } from "../domain/task.ts";

/** A task's rules, with the objective that it is part of. */
export function specOfTask(issue: Issue, config: RepoConfig): TaskSpec {
  const spec = taskSpecFromIssue(issue, config);
  const { parent } = issue;
  if (parent === undefined || !hasLabel(parent.labels, config)) return spec;
  return { ...spec, objective: taskIdOf(parent.repo, parent.number) };
}

/**
 * What the run that breaks an objective up needs: its words and a runner. It reads alone, so it is in nobody's way; the claim
 * is on a file that it cannot leave behind.
 */
export function specOfObjective(issue: Issue, { objectives }: RepoConfig): TaskSpec {
  return {
    ...{ title: issue.title.trim(), body: issue.body, kind: "objective", dependsOn: [] },
    claims: [{ mode: "write", pattern: `.wavetrain/objective-${issue.number}` }],
    ...{ parallelSafe: true, exclusive: false, priority: "normal", size: undefined },
    ...{ runner: objectives.runner, parent: undefined, invalid: undefined },
  };
}

/** Such an issue is never a task itself, wherever its card is. */
export function isLabelledObjective(
  { labels }: Pick<Issue, "labels">,
  config: RepoConfig,
): boolean {
  return hasLabel(labels, config);
}

/** GitHub does not tell the case of labels apart. */
function hasLabel(labels: readonly string[], { labels: names }: RepoConfig): boolean {
  return labels.some((label) => label.trim().toLowerCase() === names.objective.toLowerCase());
}
