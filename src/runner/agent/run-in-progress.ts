import { basename, dirname } from "node:path";
import type { OperatorConfig } from "../../config/schema/operator-config.ts";
import { spentBy, tighter, timeLeftMs } from "../../domain/budget.ts";
import type { Change } from "../../domain/change.ts";
import { isContest } from "../../domain/explore/words.ts";
import type { Instant } from "../../domain/ids.ts";
import type { Run, RunOutcome } from "../../domain/run.ts";
import type { Task } from "../../domain/task.ts";
import type { RepoContext } from "../../ports/deps.ts";
import type { Workspace } from "../../ports/git.ts";
import type { Proof } from "../../ports/store.ts";
import type { AgentReport } from "../presets/agent-report.ts";
import type { EvaluationInProgress } from "./evaluation-in-progress.ts";
import type { History } from "./history.ts";
import type { PromptView } from "./prompt.ts";
import type { RunnerDeps } from "./runner-deps.ts";

/** This is one run under way, with everything that it needs, and how it is told to stop. */
export interface RunInProgress {
  readonly context: RepoContext;
  readonly run: Run;
  readonly task: Task;
  readonly history: History;
  /** The run writes with this proof, which is lost once the run is given up. */
  readonly proof: Proof;
  /** It is aborted with the StopOutcome. */
  readonly signal: AbortSignal;
  /** The run begins from the base branch as it was at this time or later. */
  readonly baseSince: Instant;
  /** It is called when the agent is about to work: runs that finish need not wait for this start any longer. */
  readonly agentBegins?: () => void;
  /** It is called when the agent is gone: its slot is free for others from then on. */
  readonly slotFreed: (at: Instant) => void;
  /** A run that makes a change has none. */
  readonly job?: Job;
  /** It is there for a run that is one of several of its attempt. */
  readonly evaluation?: EvaluationInProgress | undefined;
}

export interface JobResult {
  readonly outcome: RunOutcome;
  /** These changes to the task are recorded with the run's end. Without them the policy for failures decides. */
  readonly changes?: readonly Change[];
}

/** A job is a run for something else than a change. It says what the runner is told and what is taken from its workspace. */
export interface Job {
  /** The job is given up after this many failed runs, unless the repository allows fewer. */
  readonly attempts: number;
  prompt(view: PromptView, progress: RunInProgress): string;
  collect(
    worked: { readonly workspace: Workspace; readonly report: AgentReport },
    progress: RunInProgress,
    deps: RunnerDeps,
  ): Promise<JobResult>;
}

/** Returns the same run with no more time than the task's budget leaves. */
export function withinBudget(progress: RunInProgress, operator: OperatorConfig): RunInProgress {
  const { context, history, run } = progress;
  const { timeouts, budget } = context.config;
  const spent = spentBy(history.runs, { from: 0, now: run.queuedAt });
  const leftMs = timeLeftMs(tighter(budget.perTask, operator.budget.perTask), spent);
  if (leftMs >= timeouts.run) return progress;
  const config = { ...context.config, timeouts: { ...timeouts, run: Math.ceil(leftMs) } };
  return { ...progress, context: { ...context, config } };
}

/** Counts the attempts as its agent sees them: an evaluation that is tried again is at its second. */
export function attemptOf({ run, evaluation }: Pick<RunInProgress, "run" | "evaluation">): number {
  const isExploring = evaluation !== undefined && !isContest(evaluation.exploration);
  return isExploring ? 1 + (run.retry ?? 0) : run.attempt;
}

/** Contenders work at the same time, so each has a home of its own: none finds another's session or files. */
export function homeOf({
  run,
  task,
}: {
  readonly run: Pick<Run, "contender">;
  readonly task: Pick<Task, "id">;
}): string {
  return run.contender === 1 ? task.id : `${task.id}.c${run.contender}`;
}

/**
 * All runs of a task and contender work in one folder, one after the other: programs find their sessions by the folder. A run that
 * has begun is where its workspace was opened: beside that folder, if something there could not be moved.
 */
export function placeOf({ run, task }: Pick<RunInProgress, "run" | "task">): string {
  if (run.workspace !== undefined) return decodeURIComponent(basename(dirname(run.workspace)));
  return run.contender === 1 ? String(task.issue) : `${task.issue}.c${run.contender}`;
}
