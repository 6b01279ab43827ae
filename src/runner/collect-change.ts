import type { Deps } from "../deps.ts";
import type { RunOutcome } from "../domain/run.ts";
import type { Workspace } from "../ports/git.ts";
import { renderCommitMessage } from "../report/render-commit-message.ts";
import type { AgentReport } from "./agent-report.ts";
import type { Execute } from "../workspace/execute.ts";
import { outcomeOfEnd } from "./run-agent.ts";
import type { RunInProgress } from "./run-in-progress.ts";
import { settleScope } from "./settle-scope.ts";

const TAIL_BYTES = 4000;

interface Worked {
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
  const { paths } = await deps.git.diffWorkspace(workspace);
  if (paths.length === 0) return { kind: "no-changes", notes };
  const directories = await deps.git.directoriesOf(context.repo, workspace.base);
  const scope = await settleScope({ paths, directories }, progress, deps);
  if (scope.kind === "refused") return { kind: "out-of-scope", paths: scope.outside };
  const red = await verifyWorkspace(execute, progress, deps);
  if (red !== undefined) return red;
  const head = await deps.git.commitWorkspace(workspace, {
    at: run.startedAt ?? run.queuedAt,
    author: { name: deps.botLogin, email: `${deps.botLogin}@users.noreply.github.com` },
    message: renderCommitMessage({
      title: task.spec.title,
      notes,
      pull: undefined,
      origin: { task: task.id, run: run.id, base: workspace.base },
    }),
  });
  return { kind: "succeeded", head, files: paths, outside: scope.outside, notes };
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
