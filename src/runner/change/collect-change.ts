import type { Sha } from "../../domain/ids.ts";
import type { Run, RunOutcome } from "../../domain/run.ts";
import type { Deps } from "../../ports/deps.ts";
import type { Workspace, WorkspaceDiff } from "../../ports/git.ts";
import { renderCommitMessage } from "../../report/render/render-commit-message.ts";
import { readTail } from "../../workspace/execute.ts";
import type { Execute } from "../../workspace/execute.ts";
import { outcomeOfEnd } from "../agent/outcome-of-agent.ts";
import type { RunInProgress } from "../agent/run-in-progress.ts";
import type { RunnerDeps } from "../agent/runner-deps.ts";
import { scoreEvaluation, timeLeft } from "../explore/score-evaluation.ts";
import type { Made } from "../explore/score-evaluation.ts";
import type { AgentReport } from "../presets/agent-report.ts";
import { resolveScope } from "./resolve-scope.ts";

/** The agent of this workspace has ended. */
export interface Worked {
  readonly workspace: Workspace;
  readonly execute: Execute;
  readonly report: AgentReport;
}

export interface Collected {
  readonly outcome: RunOutcome;
  /** This is the runner's work, without what the verification wrote. */
  readonly tree: Sha;
}

/** Reads the runner's work from git, compares it with the claims, verifies it, commits it and scores it where that is asked for. */
export async function collectChange(
  worked: Worked,
  progress: RunInProgress,
  deps: RunnerDeps,
): Promise<Collected> {
  const own = await deps.git.diffWorkspace(worked.workspace);
  return { outcome: await judgeChange({ ...worked, own }, progress, deps), tree: own.tree };
}

type WorkedWithDiff = Worked & { readonly own: WorkspaceDiff };

async function judgeChange(
  worked: WorkedWithDiff,
  progress: RunInProgress,
  deps: RunnerDeps,
): Promise<RunOutcome> {
  const { workspace, execute, report, own } = worked;
  const { context, run } = progress;
  const notes = report.lastMessage ?? (await readTail(run.id, deps));
  if (own.paths.length === 0) return { kind: "no-changes", notes };
  const { paths } = await wholeChange({ workspace, own }, progress, deps);
  const directories = await deps.git.directoriesOf(context.repo, workspace.base);
  const scope = await resolveScope({ paths, directories }, progress, deps);
  if (scope.kind === "refused") return { kind: "out-of-scope", paths: scope.outside };
  // People answer for their own pushes to the branch, so only the files that this run wrote count.
  const refused = await deps.git.refusedLfsIn(context.repo, { ...own, base: workspace.base });
  if (refused !== undefined)
    return { kind: "out-of-scope", paths: refused.paths, lfs: refused.kind };
  const agentMs = timeOfAgent(run, deps.clock.now());
  const begunAt = deps.clock.now();
  const red = await verifyWorkspace({ execute, agentMs }, progress, deps);
  if (red !== undefined) return red;
  const spentMs = agentMs + deps.clock.now() - begunAt;
  const head = await commitChange(worked, { notes, progress }, deps);
  const made: Made = { head, files: paths, outside: scope.outside, notes };
  const { evaluation } = progress;
  if (evaluation === undefined) return { kind: "succeeded", ...made };
  return scoreEvaluation({ made, evaluation, spentMs }, progress, deps);
}

function commitChange(
  { workspace, own }: WorkedWithDiff,
  { notes, progress: { run, task } }: { readonly notes: string; readonly progress: RunInProgress },
  { git }: Pick<Deps, "git">,
): Promise<Sha> {
  const { objective } = task.spec;
  const origin = { task: task.id, run: run.id, base: workspace.base, objective };
  return git.commitWorkspace(workspace, {
    // This tree was compared with the claims. Verify runs code of the change, which may write anywhere, so later files are left out.
    tree: own.tree,
    at: run.startedAt ?? run.queuedAt,
    message: renderCommitMessage({ title: task.spec.title, notes, pull: undefined, origin }),
  });
}

/** Returns what the whole pull request would change, not only this run: a stray file that the run took out again does not count against it. */
async function wholeChange(
  { workspace, own }: { readonly workspace: Workspace; readonly own: WorkspaceDiff },
  { context: { repo, base }, run, evaluation }: RunInProgress,
  deps: Pick<Deps, "git">,
): Promise<WorkspaceDiff> {
  const { tree } = own;
  if (evaluation !== undefined)
    return deps.git.diffWorkspace(workspace, { against: evaluation.exploration.base, tree });
  if (run.rework === undefined) return own;
  const tip = await deps.git.fetchBranch(repo, base);
  const against = await deps.git.mergeBase(repo, tip, workspace.base);
  return deps.git.diffWorkspace(workspace, { against, tree });
}

function timeOfAgent({ startedAt, agentEndedAt }: Run, now: number): number {
  return (agentEndedAt ?? now) - (startedAt ?? now);
}

interface VerifyStep {
  readonly execute: Execute;
  /** The agent took so long. */
  readonly agentMs: number;
}

async function verifyWorkspace(
  { execute, agentMs }: VerifyStep,
  { context, run, signal, evaluation }: RunInProgress,
  deps: Pick<Deps, "host" | "processes">,
): Promise<RunOutcome | undefined> {
  const { verify, timeouts } = context.config;
  if (verify === undefined) return undefined;
  const left = evaluation === undefined ? Infinity : timeLeft(context, agentMs);
  const timeoutMs = Math.min(timeouts.verify, left);
  const execution = { step: "verify" as const, command: verify, timeoutMs };
  const end = await execute(execution);
  const tail = await readTail(run.id, deps);
  const stopped = outcomeOfEnd(end, { execution, tail, signal });
  return stopped?.kind === "failed" ? { kind: "verify-failed", tail } : stopped;
}
