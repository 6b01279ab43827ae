import { isContender } from "../domain/explore/contenders.ts";
import { evaluationRef } from "../domain/exploration.ts";
import type { Sha } from "../domain/ids.ts";
import type { RunOutcome } from "../domain/run.ts";
import type { Deps } from "../ports/deps.ts";
import type { Workspace } from "../ports/git.ts";
import { AppError } from "../shared/app-error.ts";
import { homeOf } from "./agent/run-in-progress.ts";
import type { RunInProgress } from "./agent/run-in-progress.ts";

interface LeftRun {
  readonly outcome: RunOutcome;
  /** Its work is this, whatever is in its workspace by now. */
  readonly tree?: Sha | undefined;
  readonly deps: Pick<Deps, "git" | "host" | "log">;
}

/** Saves whatever the runner left before the workspace goes. An evaluation that did not succeed is also saved under its own name. */
export async function leaveRun(
  workspace: Workspace,
  progress: RunInProgress,
  { outcome, tree, deps }: LeftRun,
): Promise<void> {
  const isUnkept = isContender(progress.run, progress.task) && outcome.kind !== "succeeded";
  const filledDisk = outcome.kind === "disk-limit";
  // The next attempt would find the files in its way; once the workspace is closed, it may be there.
  if (filledDisk) await deps.host.removeHome(homeOf(progress));
  await leaveWorkspace(workspace, deps, {
    filesAreSafe: outcome.kind === "succeeded",
    // Files that filled the disk would fill it twice, and those of a failed setup are no work.
    isSaved: !filledDisk && outcome.unprepared !== true,
    tree,
    keepSaved: async (saved) => {
      if (isUnkept) await keep(saved, progress, deps);
    },
  });
}

interface Leaving {
  /** The change was pushed, or kept as a contender. */
  readonly filesAreSafe: boolean;
  readonly isSaved: boolean;
  readonly tree: Sha | undefined;
  readonly keepSaved: (saved: Sha) => Promise<void>;
}

const NOTHING_IS_SAFE: Leaving = {
  filesAreSafe: false,
  isSaved: true,
  tree: undefined,
  keepSaved: () => Promise.resolve(),
};

export async function leaveWorkspace(
  workspace: Workspace,
  deps: Pick<Deps, "git" | "log">,
  { filesAreSafe, isSaved, tree, keepSaved } = NOTHING_IS_SAFE,
): Promise<void> {
  try {
    const saved = isSaved
      ? await deps.git.rescueWorkspace(workspace, { filesAreSafe, tree })
      : undefined;
    if (saved !== undefined) await keepSaved(saved);
    await deps.git.closeWorkspace(workspace);
  } catch (error) {
    deps.log.warn({ repo: workspace.repo, err: error }, "workspace left behind");
    // All attempts have this one folder: it must not stay in the way of the next.
    const why = `it could not be closed: ${error instanceof Error ? error.message : "unknown"}`;
    await deps.git.putWorkspaceAside(workspace, why).catch((err: unknown) => {
      deps.log.error({ repo: workspace.repo, err }, "workspace not moved aside");
    });
  }
}

/** Keeps an evaluation's work under its own name. */
async function keep(
  commit: Sha,
  { context, run, task, evaluation }: RunInProgress,
  { git }: Pick<Deps, "git">,
): Promise<string | undefined> {
  if (evaluation === undefined) return undefined;
  const { attempt, contender: number } = run;
  const ref = evaluationRef(task, { depth: evaluation.depth, attempt, number });
  await git.keepEvaluation(context.repo, { ref, commit });
  return ref;
}

/** Keeps what an evaluation made. Where servers share the work, the others find it on GitHub; what failed is nobody's to go on with. */
export async function keepMade(
  commit: Sha,
  progress: RunInProgress,
  deps: Pick<Deps, "git" | "operator">,
): Promise<void> {
  const ref = await keep(commit, progress, deps);
  if (ref === undefined || deps.operator.store.url === undefined) return;
  const staged = await deps.git.stageCommit(progress.context.repo, ref, commit);
  // Behind the base it may be refused for its workflow files: this server can go on with it, and a winner catches up before it is published.
  if (staged.kind === "rejected" && staged.workflows !== true)
    throw new AppError("git-failed", `cannot show other servers what it made: ${staged.reason}`);
}
