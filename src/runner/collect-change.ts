import type { Deps } from "../deps.ts";
import type { Sha } from "../domain/ids.ts";
import type { RunOutcome } from "../domain/run.ts";
import type { Workspace, WorkspaceDiff } from "../ports/git.ts";
import { renderCommitMessage } from "../report/render-commit-message.ts";
import type { AgentReport } from "./agent-report.ts";
import type { Execute } from "../workspace/execute.ts";
import { outcomeOfEnd } from "./run-agent.ts";
import type { RunInProgress } from "./run-in-progress.ts";
import { scoreWorkspace } from "./score-workspace.ts";
import { settleScope } from "./settle-scope.ts";

const TAIL_BYTES = 4000;

/** A workspace whose agent has ended. */
export interface Worked {
  readonly workspace: Workspace;
  readonly execute: Execute;
  readonly report: AgentReport;
}

/** Reads what the runner did from git, holds it against the claims, verifies and commits it. */
export async function collectChange(
  { workspace, execute, report }: Worked,
  progress: RunInProgress,
  deps: Deps,
): Promise<RunOutcome> {
  const { task, context, run } = progress;
  const notes =
    report.lastMessage ?? (await deps.processes.tail(deps.host.logPath(run.id), TAIL_BYTES));
  const own = await deps.git.diffWorkspace(workspace);
  if (own.paths.length === 0) return { kind: "no-changes", notes };
  const { paths } =
    run.rework === undefined
      ? own
      : await wholeChange({ workspace, tree: own.tree }, progress, deps);
  const directories = await deps.git.directoriesOf(context.repo, workspace.base);
  const scope = await settleScope({ paths, directories }, progress, deps);
  if (scope.kind === "refused") return { kind: "out-of-scope", paths: scope.outside };
  const red = await verifyWorkspace(execute, progress, deps);
  if (red !== undefined) return red;
  const head = await deps.git.commitWorkspace(workspace, {
    // What was held against the claims: verify runs code of the change, which may write anywhere.
    tree: own.tree,
    at: run.startedAt ?? run.queuedAt,
    author: { name: deps.botLogin, email: `${deps.botLogin}@users.noreply.github.com` },
    message: renderCommitMessage({
      title: task.spec.title,
      notes,
      pull: undefined,
      origin: {
        ...{ task: task.id, run: run.id, base: workspace.base },
        objective: task.spec.objective,
      },
    }),
  });
  const score = await scoreWorkspace(execute, progress, deps);
  const made = { head, files: paths, outside: scope.outside, notes };
  return { kind: "succeeded", ...made, ...(score === undefined ? {} : { score }) };
}

/** What the pull request changes, not only this run: a stray file that it took out again is not held against it. */
async function wholeChange(
  { workspace, tree }: { readonly workspace: Workspace; readonly tree: Sha },
  { context: { repo, base } }: RunInProgress,
  deps: Deps,
): Promise<WorkspaceDiff> {
  const tip = await deps.git.fetchBranch(repo, base);
  const against = await deps.git.mergeBase(repo, tip, workspace.base);
  return deps.git.diffWorkspace(workspace, { against, tree });
}

async function verifyWorkspace(
  execute: Execute,
  { context, run, signal }: RunInProgress,
  deps: Deps,
): Promise<RunOutcome | undefined> {
  const { verify, timeouts } = context.config;
  if (verify === undefined) return undefined;
  const execution = { step: "verify" as const, command: verify, timeoutMs: timeouts.verify };
  const end = await execute(execution);
  const tail = await deps.processes.tail(deps.host.logPath(run.id), TAIL_BYTES);
  const stopped = outcomeOfEnd(end, { execution, tail, signal });
  return stopped?.kind === "failed" ? { kind: "verify-failed", tail } : stopped;
}
