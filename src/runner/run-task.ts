import type { Change } from "../domain/change.ts";
import { wordLacking } from "../domain/claim/out-of-reach.ts";
import { isContender, leadingRuns } from "../domain/explore/contenders.ts";
import { isContest } from "../domain/explore/words.ts";
import type { Sha } from "../domain/ids.ts";
import { aliasOf } from "../domain/markers.ts";
import type { Run, RunOutcome } from "../domain/run.ts";
import type { Deps } from "../ports/deps.ts";
import type { LaidWork, Workspace } from "../ports/git.ts";
import { AppError } from "../shared/app-error.ts";
import { withExecute } from "../workspace/execute.ts";
import type { RunFolders } from "../workspace/execute.ts";
import { decideGoingOn } from "./agent/going-on.ts";
import { withNotes } from "./agent/notes.ts";
import { runnerOf } from "./agent/prepare-agent.ts";
import { runAgent, runSetup } from "./agent/run-agent.ts";
import { attemptOf, homeOf, placeOf, withinBudget } from "./agent/run-in-progress.ts";
import type { JobResult, RunInProgress } from "./agent/run-in-progress.ts";
import type { RunnerDeps } from "./agent/runner-deps.ts";
import { collectChange } from "./change/collect-change.ts";
import type { Worked } from "./change/collect-change.ts";
import { publishChange } from "./change/publish-change.ts";
import { reachCommit } from "./explore/reach-commit.ts";
import { decideAfterRun, failurePolicy } from "./decide-after-run.ts";
import { keepMade, leaveRun, leaveWorkspace } from "./leave-run.ts";
import { NO_REPORT } from "./presets/agent-report.ts";
import type { AgentReport } from "./presets/agent-report.ts";

/** Takes one run from workspace to pull request. Every end is an outcome in the store, and nothing is thrown but bugs. */
export async function runTask(progress: RunInProgress, deps: RunnerDeps): Promise<void> {
  const { run, context, task } = progress;
  const log = { repo: context.repo, task: task.id, run: run.id, attempt: run.attempt };
  deps.log.info(log, run.state === "running" ? "run resumed" : "run started");
  const { workspace, ...ended } = await attempt(withinBudget(progress, deps.operator), deps);
  const changes = changesAfter(progress, ended, deps);
  try {
    // This is recorded before the workspace goes: killed in between, the run could be neither resumed nor ended.
    await deps.store.record(context.repo, withReport(changes, ended.report), progress.proof);
    progress.slotFreed(deps.clock.now());
  } finally {
    if (workspace !== undefined) await leaveRun(workspace, progress, { ...ended, deps });
  }
  await deps.processes.forget(run.id);
  deps.log.info({ ...log, reason: ended.outcome.kind }, "run finished");
}

/** A contender ends for itself. The task's next state is decided when all contenders have ended. */
function changesAfter(
  { task, run, history, context, job }: RunInProgress,
  ended: Ended,
  deps: Pick<Deps, "clock" | "host" | "operator">,
): readonly Change[] {
  const now = deps.clock.now();
  if (ended.changes !== undefined)
    return [
      { kind: "run-finished", run: run.id, outcome: ended.outcome, at: now },
      ...ended.changes,
    ];
  if (isContender(run, task))
    return [{ kind: "run-finished", run: run.id, outcome: ended.outcome, at: now }];
  const policy = failurePolicy(context.config, deps.operator);
  return decideAfterRun({
    task,
    run,
    now,
    ...ended,
    earlier: leadingRuns(history.runs).flatMap(({ outcome }) => outcome ?? []),
    policy: { ...policy, attempts: Math.min(policy.attempts, job?.attempts ?? Infinity) },
    jitter: deps.host.random(),
  });
}

/** Keeps what the runner told about itself with the run's end. */
function withReport(
  changes: readonly Change[],
  { usage, session }: AgentReport,
): readonly Change[] {
  const told = {
    ...(usage === undefined ? {} : { usage }),
    ...(session === undefined ? {} : { session }),
  };
  return changes.map((change) =>
    change.kind === "run-finished" ? { ...change, ...told } : change,
  );
}

interface Ended extends JobResult {
  readonly pull: number | undefined;
  readonly report: AgentReport;
  /** This is what the runner had changed when it ended, where more was done in its workspace since. */
  readonly tree?: Sha;
}

async function attempt(
  progress: RunInProgress,
  deps: RunnerDeps,
): Promise<Ended & { readonly workspace: Workspace | undefined }> {
  let workspace: Workspace | undefined;
  const agentBegins = deps.finishing.startFirst();
  try {
    workspace = await openWorkspace(progress, deps);
    const run = await markStarted(workspace, progress, deps);
    return { workspace, ...(await workIn(workspace, { ...progress, run, agentBegins }, deps)) };
  } catch (error) {
    if (!(error instanceof AppError)) {
      if (workspace !== undefined) await leaveWorkspace(workspace, deps);
      throw error;
    }
    // The world failed, not the runner: the task goes back to the queue and no attempt is used up.
    deps.log.warn({ run: progress.run.id, err: error }, "run lost");
    const needsPerson = error.code === "workflows-refused";
    const outcome: RunOutcome = {
      kind: "lost",
      reason: error.message,
      ...(needsPerson && { needsPerson }),
    };
    return { workspace, outcome, pull: undefined, report: NO_REPORT };
  } finally {
    agentBegins();
  }
}

/** A resumed run gets the workspace that it began with, whatever happened to the base branch since. */
async function openWorkspace(
  progress: RunInProgress,
  deps: Pick<Deps, "git" | "notices" | "operator">,
): Promise<Workspace> {
  const { context, run, baseSince } = progress;
  const { repo } = context;
  const { workspace: path, baseSha } = run;
  const place = placeOf(progress);
  if (path !== undefined && baseSha !== undefined)
    return { repo, id: run.id, place, path, base: baseSha };
  if (baseSha !== undefined) await reachCommit(repo, baseSha, deps);
  // A rework begins with the pull request's change, and an evaluation where its node is.
  const base =
    run.rework === undefined
      ? (baseSha ?? (await deps.git.fetchBranch(repo, context.base, baseSince)))
      : await deps.git.fetchBranch(repo, run.branch);
  const workspace = await deps.git.openWorkspace({ repo, id: run.id, place, base });
  deps.notices.set(repo, "lfs", wordLacking(workspace.lacking ?? []));
  return workspace;
}

async function markStarted(
  { path, base }: Workspace,
  { context, run, proof }: RunInProgress,
  deps: Pick<Deps, "clock" | "host" | "store">,
): Promise<Run> {
  if (run.state === "running") return run;
  const begun = { workspace: path, baseSha: base, logPath: deps.host.logPath(run.id) };
  const at = deps.clock.now();
  const started = { kind: "run-started", run: run.id, ...begun, at } as const;
  await deps.store.record(context.repo, [started], proof);
  return { ...run, ...begun, state: "running", startedAt: at };
}

async function workIn(
  workspace: Workspace,
  progress: RunInProgress,
  deps: RunnerDeps,
): Promise<Ended> {
  const { run, signal } = progress;
  const { network } = runnerOf(run, deps.operator);
  const home = homeOf(progress);
  await leaveBehind(progress, home, deps);
  const variables = variablesOf(progress);
  const options = { workspace, id: run.id, home, variables, network, signal };
  return withExecute(options, deps, async (execute, room) => {
    const { job } = progress;
    const unprepared =
      job === undefined ? await runSetup({ workspace, execute, room }, progress, deps) : undefined;
    if (unprepared !== undefined) {
      // No agent was in this home. It goes, so that the next attempt has a fresh one and others may use what its setup makes.
      if (room.fresh) await deps.host.removeHome(home);
      const outcome = { ...unprepared, unprepared: true } as const;
      return { outcome, pull: undefined, report: NO_REPORT };
    }
    const work = await layWork({ workspace, room }, progress, deps);
    const { stopped, report } = await runAgent({ execute, room, work }, progress, deps);
    // Its slot comes free with its outcome: whoever takes it must know what this run met with.
    if (stopped !== undefined) {
      const outcome = await withNotes(stopped, { run, report }, deps);
      return { outcome, pull: undefined, report };
    }
    await endAgent(progress, deps);
    if (job !== undefined) {
      const result = await job.collect({ workspace, report }, progress, deps);
      return { ...result, pull: undefined, report };
    }
    return finish({ workspace, execute, report }, progress, deps);
  });
}

function variablesOf(progress: RunInProgress): Readonly<Record<string, string>> {
  const { run, task, evaluation } = progress;
  return {
    WAVETRAIN_TASK_ID: aliasOf(task.spec.body) ?? task.id,
    WAVETRAIN_TASK_TITLE: task.spec.title,
    WAVETRAIN_ATTEMPT: String(attemptOf(progress)),
    ...(evaluation !== undefined && {
      WAVETRAIN_CONTENDER: String(run.contender),
      WAVETRAIN_IDEA: evaluation.idea.name,
      WAVETRAIN_DEPTH: String(evaluation.depth),
      WAVETRAIN_NODE: evaluation.planned.node,
    }),
  };
}

/** An evaluation finds nothing of another one, nor of an earlier try of its own. */
async function leaveBehind(
  { run, evaluation }: RunInProgress,
  home: string,
  { host, processes }: Pick<Deps, "host" | "processes">,
): Promise<void> {
  if (evaluation === undefined || isContest(evaluation.exploration)) return;
  if ((await processes.stateOf(`${run.id}/setup`)) !== "absent") return;
  if ((await processes.stateOf(`${run.id}/agent`)) === "absent") await host.removeHome(home);
}

/** Puts in what the run goes on with. Once the agent is at work nothing is put among its files. */
async function layWork(
  { workspace, room }: { readonly workspace: Workspace; readonly room: RunFolders },
  { run, history, context, job, evaluation }: RunInProgress,
  { git }: Pick<Deps, "git">,
): Promise<LaidWork> {
  const { work } = decideGoingOn(run, history, context.config);
  const isExploring = evaluation !== undefined && !isContest(evaluation.exploration);
  const isFresh = job !== undefined || isExploring || room.taken || work.length === 0;
  return isFresh ? "none" : git.layWork(workspace, work);
}

/** Records the agent's end before its slot is given away, so that a server that starts anew, or shares the store, counts the same. */
async function endAgent(
  { context, run, proof, slotFreed }: RunInProgress,
  { store, clock }: Pick<Deps, "clock" | "store">,
): Promise<void> {
  const at = run.agentEndedAt ?? clock.now();
  if (run.agentEndedAt === undefined)
    await store.record(context.repo, [{ kind: "agent-ended", run: run.id, at }], proof);
  slotFreed(at);
}

async function finish(worked: Worked, progress: RunInProgress, deps: RunnerDeps): Promise<Ended> {
  const { run, task } = progress;
  const { workspace, report } = worked;
  const place = await deps.finishing.enter();
  try {
    const { outcome, tree } = await collectChange(worked, progress, deps);
    if (outcome.kind !== "succeeded") {
      const noted = await withNotes(outcome, { run, report }, deps);
      return { outcome: noted, tree, pull: undefined, report };
    }
    if (isContender(run, task)) {
      await keepMade(outcome.head, progress, deps);
      return { outcome, pull: undefined, report };
    }
    const change = { outcome, base: workspace.base, usage: report.usage };
    const pushing = { ...progress, pushed: place.pushed };
    const { head, pull } = await publishChange(change, pushing, deps);
    return { outcome: { ...outcome, head }, pull, report };
  } finally {
    place.leave();
  }
}
