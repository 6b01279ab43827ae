import type { TaskId } from "../domain/ids.ts";

/** `#7` beside a task of the same repository, the whole id beside any other. */
export function taskName(id: TaskId, beside: TaskId): string {
  const mark = id.lastIndexOf("#");
  if (mark < 0 || beside.slice(0, beside.lastIndexOf("#") + 1) !== id.slice(0, mark + 1)) return id;
  return id.slice(mark);
}

/** `#1, #2 and 5 more`. */
export function taskNames(ids: readonly TaskId[], beside: TaskId, most = 8): string {
  const names = ids.slice(0, most).map((id) => taskName(id, beside));
  const rest = ids.length - names.length;
  return rest > 0 ? `${names.join(", ")} and ${rest} more` : names.join(", ");
}
