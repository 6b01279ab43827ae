import { aliasMarker } from "../../domain/task-alias.ts";
import type { DeclaredTask } from "../task-file.ts";

/** A dependency that is not in the file is left for the planner to report. */
const NO_SUCH_ISSUE = 999_999;

/** A task of a file as the issue that a person would have written with the form. */
export function issueBody(task: DeclaredTask, numbers: ReadonlyMap<string, number>): string {
  const files = [...task.files, ...task.reads.map((pattern) => `read: ${pattern}`)];
  const dependencies = task.dependsOn.map((id) => `#${numbers.get(id) ?? NO_SUCH_ISSUE}`);
  // The rules come before the task's own words: those may contain anything.
  return [
    aliasMarker(task.id),
    ...(files.length === 0 ? [] : [`### Files\n\n\`\`\`\n${files.join("\n")}\n\`\`\``]),
    ...(dependencies.length === 0 ? [] : [`Depends on ${dependencies.join(", ")}`]),
    `### Task\n\n${task.body === "" ? task.title : task.body}`,
  ].join("\n\n");
}

/** In a task file, a task that declares its files is safe to run beside others unless it says otherwise. */
export function issueLabels(task: DeclaredTask): readonly string[] {
  const safe = task.files.length > 0 && !task.exclusive;
  return [...new Set([...task.labels, ...(safe ? ["parallel-safe"] : [])])];
}
