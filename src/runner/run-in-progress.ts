import type { Deps, RepoContext } from "../deps.ts";
import type { Change } from "../domain/change.ts";
import type { Instant } from "../domain/ids.ts";
import type { Run, RunOutcome } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { Workspace } from "../ports/git.ts";
import type { Proof } from "../ports/store.ts";
import type { AgentReport } from "./agent-report.ts";
import type { History } from "./history.ts";
import type { PromptView } from "./prompt.ts";

/** One run under way: what it needs and how it is told to stop. */
export interface RunInProgress {
  readonly context: RepoContext;
  readonly run: Run;
  readonly task: Task;
  readonly history: History;
  /** By what right it writes: lost once the run is given up. */
  readonly proof: Proof;
  /** Aborted with the StopOutcome. */
  readonly signal: AbortSignal;
  /** The base branch as it was then, or later, is what the run begins from. */
  readonly baseSince: Instant;
  /** The agent is about to work; what comes after other agents need not wait any longer. */
  readonly agentBegins?: () => void;
  /** The agent is gone: its slot is somebody else's from now on. */
  readonly slotFreed: (at: Instant) => void;
  /** Absent for a run that makes a change. */
  readonly job?: Job;
}

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
