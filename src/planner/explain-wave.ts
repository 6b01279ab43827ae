import type { Backlog } from "./backlog.ts";
import type { AloneReason } from "./conflict-task.ts";
import { wordOverlap } from "./obstacle.ts";
import { taskName } from "./task-name.ts";

/** Why a task is in this wave and not in an earlier one; undefined when nothing keeps it from being first. */
export function explainWave(
  at: number,
  wave: number,
  { backlog, waves }: { readonly backlog: Backlog; readonly waves: readonly (readonly number[])[] },
): string | undefined {
  const task = backlog.tasks[at];
  const before = waves[wave - 1] ?? [];
  const reason = backlog.graph.alone(at);
  if (reason !== undefined) return `runs alone: ${wordAlone(reason)}`;
  const needed = before.find((other) => backlog.dependencies.before[at]?.includes(other));
  if (needed !== undefined) return `depends on ${nameAt(needed, at, backlog)}`;
  const rival = before.find((other) => backlog.graph.conflicts(at, other));
  const blocker = rival === undefined ? undefined : backlog.tasks[rival];
  if (rival === undefined || task === undefined || blocker === undefined) return undefined;
  if (backlog.alone[rival] === true) return `${nameAt(rival, at, backlog)} runs alone`;
  return `${nameAt(rival, at, backlog)}: ${wordOverlap(task, blocker.id, backlog)}`;
}

/** The phrase that follows "runs alone: ". */
export function wordAlone(reason: AloneReason): string {
  switch (reason.kind) {
    case "exclusive":
      return "it is labelled exclusive";
    case "not-parallel-safe":
      return "it is not labelled parallel-safe";
    case "no-writes":
      return "it declares no files that it may change";
    case "barrier":
      return `${reason.pattern} affects every other file`;
    case "unreadable":
      return `${reason.pattern} cannot be read (${reason.reason})`;
  }
}

function nameAt(other: number, at: number, { tasks }: Backlog): string {
  const [task, beside] = [tasks[other], tasks[at]];
  return task && beside ? taskName(task.id, beside.id) : "another task";
}
