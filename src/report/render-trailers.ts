import type { RunId, Sha, TaskId } from "../domain/ids.ts";

/** Where a change comes from: every commit and pull request says so in the same words. */
export interface Origin {
  readonly task: TaskId;
  readonly run: RunId;
  readonly base: Sha;
}

/** Git trailers that lead from a commit back to its task and run. */
export function renderTrailers({ task, run, base }: Origin): string {
  return [`Wavetrain-Task: ${task}`, `Wavetrain-Run: ${run}`, `Wavetrain-Base: ${base}`].join("\n");
}
