import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Difference } from "../../config/repository/differences.ts";
import { taskIdOf, repoName } from "../../domain/ids.ts";
import type { TaskId } from "../../domain/ids.ts";
import type { Task, TaskState } from "../../domain/task.ts";
import type { Backlog } from "../../planner/waves/backlog.ts";
import type { Sandbox } from "../../ports/sandbox.ts";
import type { TryOptions } from "./input/check-input.ts";
import { Ledger } from "./ledger.ts";
import { hasFailedRun, maxParallel, serialTime, taskResult, speedUps } from "./result.ts";
import type { Span, TryResult, Measured } from "./result.ts";
import { approveEverything, AUTHOR, setStage } from "./stage.ts";
import type { Stage } from "./stage.ts";

export interface TryProgress {
  /** The key is the task's id in the file; the value is undefined until the app has seen its card. */
  readonly tasks: ReadonlyMap<string, Task | undefined>;
  readonly elapsedMs: number;
}

export interface TrialStart {
  /** The address contains the key to the board. */
  readonly boardUrl: string;
  readonly sandbox: string;
  readonly differences: readonly Difference[];
}

export interface TryOutcome {
  readonly result: TryResult;
  readonly spans: readonly (Span & { readonly id: string })[];
  readonly startedAt: number;
  readonly folder: string;
  /** The changes landed on this branch. */
  readonly branch: string;
}

const POLL_EVERY_MS = 100;
/** A slot that came free is filled long before this time is over. */
const STUCK_AFTER_MS = 3_000;
/** A task in one of these states goes nowhere by itself. */
const RESTING: ReadonlySet<TaskState> = new Set(["landed", "failed", "cancelled", "blocked"]);

interface TryHooks {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** The key is the task's id in the file. */
  readonly waves: ReadonlyMap<string, number>;
  /** It holds the same tasks as the planner sees them. */
  readonly backlog: Backlog;
  readonly signal: AbortSignal;
  /** It is called once, when the board can be looked at. */
  started(stage: TrialStart): void;
  progress(progress: TryProgress): void;
}

const UNCONFINED = "what does the work can do all that you can, and could approve its own changes";

/** Plays the whole job on a GitHub of our own: opens issues, moves their cards to Ready, waits for the end. */
export async function runTry(options: TryOptions, hooks: TryHooks): Promise<TryOutcome> {
  const folder = await mkdtemp(join(tmpdir(), "wavetrain-try-"));
  try {
    const { environment, log } = hooks;
    const stage = await setStage({ options, folder, environment, log });
    return await playOn(stage, hooks, { options, folder });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function playOn(
  stage: Stage,
  hooks: TryHooks,
  { options, folder }: { readonly options: TryOptions; readonly folder: string },
): Promise<TryOutcome> {
  let keepsLogs = false;
  try {
    if (options.approve === "auto") approveEverything(stage.github);
    const { differences, app, github } = stage;
    const sandbox = describeSandbox(app.sandbox);
    hooks.started({ boardUrl: github.pagesUrl, sandbox, differences });
    const startedAt = Date.now();
    for (const issue of stage.issues.values()) stage.github.as(AUTHOR).moveCard(issue, "Ready");
    const ledger = await follow(stage, hooks, startedAt);
    if (!hooks.signal.aborted) await waitForLastReports(stage);
    const end = { stage, ledger, hooks, startedAt, folder, slots: options.parallel };
    const outcome = outcomeOf(end);
    keepsLogs = outcome.result.tasks.some(hasFailedRun);
    return outcome;
  } finally {
    await stage.close();
    if (!options.keep) await removeApp(join(folder, "app"), keepsLogs);
  }
}

/** Whoever reads why a task failed finds the whole log at the path that is shown. */
async function removeApp(dataDir: string, keepsLogs: boolean): Promise<void> {
  const names = keepsLogs ? await readdir(dataDir) : ["."];
  for (const name of names)
    if (name !== "logs") await rm(join(dataDir, name), { recursive: true, force: true });
}

/** Reports on cards and pull requests still go out after the last task has landed. */
async function waitForLastReports({ app, github }: Stage): Promise<void> {
  await app.idle();
  await github.deliverySettled();
}

/** Reads the event log until nothing moves any more. */
async function follow(stage: Stage, hooks: TryHooks, startedAt: number): Promise<Ledger> {
  const ledger = new Ledger();
  let last = 0;
  let stuckSince: number | undefined;
  for (;;) {
    const events = await stage.app.store.events(last, 1000);
    for (const { change, seq } of events) {
      ledger.add(change);
      last = seq;
    }
    const tasks = tasksById(stage, ledger);
    hooks.progress({ tasks, elapsedMs: Date.now() - startedAt });
    const rests = [...tasks.values()].every(
      (task) => task !== undefined && RESTING.has(task.state),
    );
    stuckSince = ledger.isStuck ? (stuckSince ?? Date.now()) : undefined;
    const isStuck = stuckSince !== undefined && Date.now() - stuckSince > STUCK_AFTER_MS;
    if (rests || isStuck || hooks.signal.aborted) return ledger;
    await sleep(POLL_EVERY_MS);
  }
}

function tasksById(stage: Stage, ledger: Ledger): ReadonlyMap<string, Task | undefined> {
  const idOf = idsOf(stage);
  return new Map([...idOf].map(([taskId, id]) => [id, ledger.taskOf(taskId)]));
}

function idsOf({ repository, issues }: Stage): ReadonlyMap<TaskId, string> {
  const repo = repoName(`${repository.owner.login}/${repository.name}`);
  return new Map([...issues].map(([id, issue]) => [taskIdOf(repo, issue.number), id]));
}

function outcomeOf(end: {
  readonly stage: Stage;
  readonly ledger: Ledger;
  readonly hooks: TryHooks;
  readonly startedAt: number;
  readonly folder: string;
  readonly slots: number;
}): TryOutcome {
  const { stage, ledger, hooks, startedAt, folder } = end;
  const ids = idsOf(stage);
  const runs = [...ledger.runs.values()];
  const spans = ledger.spans().map((span) => ({ ...span, id: ids.get(span.task as TaskId) ?? "" }));
  const tasks = [...ids].map(([taskId, id]) =>
    taskResult(id, ledger.taskOf(taskId), { runs, wave: hooks.waves.get(id) ?? null }),
  );
  const finishedAt = Math.max(
    startedAt,
    ...[...ledger.tasks.values()].map((task) => task.changedAt),
  );
  const { repository } = stage;
  const result: TryResult = {
    tasks,
    main: repository.refs.get(`refs/heads/${repository.defaultBranch}`) ?? "",
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: new Date(finishedAt).toISOString(),
    apiCalls: stage.github.calls(),
    maxParallel: maxParallel(spans),
    serialTimeMs: serialTime(spans),
    wallTimeMs: finishedAt - startedAt,
    ...speedUps(
      { spans, ...fates(ledger, ids), wallTimeMs: finishedAt - startedAt },
      { backlog: hooks.backlog, slots: end.slots },
    ),
    repo: repository.dir,
  };
  return { result, spans, startedAt, folder, branch: repository.defaultBranch };
}

function fates(
  { tasks, pauses }: Ledger,
  ids: ReadonlyMap<TaskId, string>,
): Pick<Measured, "pauses" | "landed"> {
  const named = [...ids];
  return {
    pauses: new Map(named.map(([task, id]) => [id, pauses.get(task) ?? []])),
    landed: new Set(named.flatMap(([task, id]) => (tasks.get(task)?.state === "landed" ? id : []))),
  };
}

/** Says what confines the work, and whether a process that it leaves running can outlive it. */
function describeSandbox({ level, processes }: Sandbox): string {
  const confinement = level === "none" ? `${level}: ${UNCONFINED}` : level;
  if (processes === undefined) return confinement;
  if (!processes.ok)
    return `${confinement}; what a command leaves running may outlive it (${processes.error})`;
  const how = processes.value === "user-namespace" ? "PID and user namespace" : "PID namespace";
  return `${confinement}; nothing that a command starts outlives it (${how})`;
}
