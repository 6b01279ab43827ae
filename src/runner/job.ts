import type { Deps } from "../deps.ts";
import type { Change } from "../domain/change.ts";
import type { RunOutcome } from "../domain/run.ts";
import type { Workspace } from "../ports/git.ts";
import type { AgentReport } from "./agent-report.ts";
import type { PromptView } from "./prompt.ts";
import type { RunInProgress } from "./run-in-progress.ts";

export interface JobResult {
  readonly outcome: RunOutcome;
  /** What becomes of the task, recorded with the run's end; absent where the policy for failures decides. */
  readonly changes?: readonly Change[];
}

/** A run for something else than a change: what the runner is told, and what is taken from its workspace. */
export interface Job {
  /** Failed runs before it is given up, unless the repository allows fewer. */
  readonly attempts: number;
  prompt(view: PromptView, progress: RunInProgress): string;
  collect(
    worked: { readonly workspace: Workspace; readonly report: AgentReport },
    progress: RunInProgress,
    deps: Deps,
  ): Promise<JobResult>;
}
