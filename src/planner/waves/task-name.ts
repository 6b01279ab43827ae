import type { TaskId } from "../../domain/ids.ts";

const ISSUE = /^([^\s/#]+\/[^\s/#]+)(#\d+)$/;

/** Names a task `#7` beside an issue of the same repository, and by its whole id beside anything else. */
export function taskName(id: TaskId, beside: TaskId): string {
  const [, repo, number] = ISSUE.exec(id) ?? [];
  return number !== undefined && ISSUE.exec(beside)?.[1] === repo ? number : id;
}

/** Names several tasks like `#1, #2 and 5 more`. */
export function taskNames(ids: readonly TaskId[], beside: TaskId, max = 8): string {
  const names = ids.slice(0, max).map((id) => taskName(id, beside));
  const rest = ids.length - names.length;
  return rest > 0 ? `${names.join(", ")} and ${rest} more` : names.join(", ");
}
