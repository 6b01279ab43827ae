import type { RunId, Sha, TaskId } from "../domain/ids.ts";

/** Where a change comes from: every commit and pull request says so in the same words. */
export interface Origin {
  readonly task: TaskId;
  readonly run: RunId;
  readonly base: Sha;
  /** The objective that the task is part of. */
  readonly objective?: TaskId | undefined;
}

/** Git trailers that lead from a commit back to its task and run. */
export function renderTrailers({ task, run, base, objective }: Origin): string {
  return [
    `Wavetrain-Task: ${task}`,
    `Wavetrain-Run: ${run}`,
    `Wavetrain-Base: ${base}`,
    ...(objective === undefined ? [] : [`Objective: ${shortId(objective, task)}`]),
  ].join("\n");
}

/** `#12` where it is an issue of the task's own repository. */
function shortId(id: TaskId, beside: TaskId): string {
  const mark = id.lastIndexOf("#");
  return beside.startsWith(id.slice(0, mark + 1)) ? id.slice(mark) : id;
}
