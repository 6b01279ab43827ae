import { isContender } from "../../domain/contenders.ts";
import type { Sha } from "../../domain/ids.ts";
import { REFUSAL } from "../../domain/network/network.ts";
import type { RunOutcome } from "../../domain/run.ts";
import type { Deps } from "../../ports/deps.ts";
import type { Workspace, WorkspaceDiff } from "../../ports/git.ts";
import { renderCommitMessage } from "../../report/render/render-commit-message.ts";
import { readTail } from "../../workspace/execute.ts";
import type { Execute } from "../../workspace/execute.ts";
import { outcomeOfEnd } from "../agent/outcome-of-agent.ts";
import type { RunInProgress } from "../agent/run-in-progress.ts";
import type { RunnerDeps } from "../agent/runner-deps.ts";
import type { AgentReport } from "../presets/agent-report.ts";
import { resolveScope } from "./resolve-scope.ts";

/** This line separates what the score command prints from what was printed before it. */
const SCORE_MARK = "wavetrain: score";

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

/** Reads the runner's work from git, compares it with the claims, verifies it and commits it. */
export async function collectChange(
  worked: Worked,
  progress: RunInProgress,
  deps: RunnerDeps,
): Promise<Collected> {
  const own = await deps.git.diffWorkspace(worked.workspace);
  return { outcome: await judgeChange({ ...worked, own }, progress, deps), tree: own.tree };
}

async function judgeChange(
  { workspace, execute, report, own }: Worked & { readonly own: WorkspaceDiff },
  progress: RunInProgress,
  deps: RunnerDeps,
): Promise<RunOutcome> {
  const { task, context, run } = progress;
  const notes = report.lastMessage ?? (await readTail(run.id, deps));
  if (own.paths.length === 0) return { kind: "no-changes", notes };
  const { paths } =
    run.rework === undefined
      ? own
      : await wholeChange({ workspace, tree: own.tree }, progress, deps);
  const directories = await deps.git.directoriesOf(context.repo, workspace.base);
  const scope = await resolveScope({ paths, directories }, progress, deps);
  if (scope.kind === "refused") return { kind: "out-of-scope", paths: scope.outside };
  // People answer for their own pushes to the branch, so only the files that this run wrote count.
  const refused = await deps.git.refusedLfsIn(context.repo, { ...own, base: workspace.base });
  if (refused !== undefined)
    return { kind: "out-of-scope", paths: refused.paths, lfs: refused.kind };
  const red = await verifyWorkspace(execute, progress, deps);
  if (red !== undefined) return red;
  const head = await deps.git.commitWorkspace(workspace, {
    // This tree was compared with the claims. Verify runs code of the change, which may write anywhere, so later files are left out.
    tree: own.tree,
    at: run.startedAt ?? run.queuedAt,
    message: renderCommitMessage({
      title: task.spec.title,
      notes,
      pull: undefined,
      origin: {
        task: task.id,
        run: run.id,
        base: workspace.base,
        objective: task.spec.objective,
      },
    }),
  });
  const score = await scoreWorkspace(execute, progress, deps);
  const made = { head, files: paths, outside: scope.outside, notes };
  return { kind: "succeeded", ...made, ...(score === undefined ? {} : { score }) };
}

export function scoreIn(log: string): number | undefined {
  const said = log.slice(log.lastIndexOf(SCORE_MARK) + SCORE_MARK.length).split("\n");
  // Refusals of the network may be printed at any moment, even after the command's last line.
  const last =
    said.findLast((line) => line.trim() !== "" && !line.startsWith(REFUSAL))?.trim() ?? "";
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(last) ? Number(last) : undefined;
}

/** Returns what the whole pull request changes, not only this run: a stray file that the run took out again does not count against it. */
async function wholeChange(
  { workspace, tree }: { readonly workspace: Workspace; readonly tree: Sha },
  { context: { repo, base } }: RunInProgress,
  deps: Pick<Deps, "git">,
): Promise<WorkspaceDiff> {
  const tip = await deps.git.fetchBranch(repo, base);
  const against = await deps.git.mergeBase(repo, tip, workspace.base);
  return deps.git.diffWorkspace(workspace, { against, tree });
}

async function verifyWorkspace(
  execute: Execute,
  { context, run, signal }: RunInProgress,
  deps: Pick<Deps, "host" | "processes">,
): Promise<RunOutcome | undefined> {
  const { verify, timeouts } = context.config;
  if (verify === undefined) return undefined;
  const execution = { step: "verify" as const, command: verify, timeoutMs: timeouts.verify };
  const end = await execute(execution);
  const tail = await readTail(run.id, deps);
  const stopped = outcomeOfEnd(end, { execution, tail, signal });
  return stopped?.kind === "failed" ? { kind: "verify-failed", tail } : stopped;
}

/** Runs the repository's score command on a contender. It returns undefined where there is no command, or it prints no number. */
async function scoreWorkspace(
  execute: Execute,
  { context, run, task }: RunInProgress,
  deps: Pick<Deps, "host" | "log" | "processes">,
): Promise<number | undefined> {
  const { score, timeouts } = context.config;
  if (score === undefined || !isContender(run, task)) return undefined;
  const command = `echo "${SCORE_MARK}"\n${score}`;
  const end = await execute({ step: "score", command, timeoutMs: timeouts.verify });
  const tail = await readTail(run.id, deps);
  const found = end.kind === "exited" && end.code === 0 ? scoreIn(tail) : undefined;
  if (found === undefined)
    deps.log.warn({ repo: context.repo, task: task.id, run: run.id }, "score not told");
  return found;
}
