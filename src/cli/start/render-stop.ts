import type { TaskId } from "../../domain/ids.ts";
import type { StopReport } from "../../stop-runs.ts";

export function renderStop({ finished, requeued, left }: StopReport): string {
  const parts = [
    part(finished, "finished", "finished"),
    part(requeued, "was stopped and is queued again", "were stopped and are queued again"),
    part(
      left,
      "goes on and is taken up at the next start",
      "go on and are taken up at the next start",
    ),
  ].filter((text) => text !== "");
  return parts.length === 0 ? "stopped; no run was under way" : `stopped: ${parts.join("; ")}`;
}

export function renderWaiting(working: readonly TaskId[]): string {
  const what = working.length === 0 ? "for the last words" : `for ${named(working)}`;
  return `stopping: waiting ${what}; another signal stops at once`;
}

function part(tasks: readonly TaskId[], one: string, many: string): string {
  return tasks.length === 0 ? "" : `${named(tasks)} ${tasks.length === 1 ? one : many}`;
}

function named(tasks: readonly TaskId[]): string {
  return `${tasks.length} ${tasks.length === 1 ? "run" : "runs"} (${tasks.join(", ")})`;
}
