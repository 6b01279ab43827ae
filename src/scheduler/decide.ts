import type { Change } from "../domain/change.ts";
import { claimsOf } from "../domain/claim-hold.ts";
import { knownDirectory } from "../domain/claim/known-directory.ts";
import { tighter } from "../domain/budget.ts";
import { instant, repoOf, runId } from "../domain/ids.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import type { Blocked, PlannableTask } from "../domain/plan.ts";
import type { Run } from "../domain/run.ts";
import { holdsClaims, isPlanned } from "../domain/task.ts";
import type { Task } from "../domain/task.ts";
import { assignWaves } from "../planner/assign-waves.ts";
import type { Backlog } from "../planner/backlog.ts";
import { prepareBacklog } from "../planner/backlog.ts";
import { decideStarts } from "../planner/decide-starts.ts";
import type { DispatchDecision, Holding, Start } from "../planner/decide-starts.ts";
import type { FreeSlots } from "../planner/slot-ledger.ts";
import { dayBudgetHold } from "./day-budget.ts";
import { expectedDurations } from "./expected-duration.ts";
import { nextLook } from "./next-look.ts";
import { pauseHold } from "./pause-hold.ts";
import { queuedByRunner } from "./queued-by-runner.ts";
import { delays } from "./delays.ts";
import { freeSlots } from "./slots.ts";
import type { SchedulerSnapshot } from "./snapshot.ts";
import { taskBudgetCause } from "./task-budget.ts";

export type SchedulerCommand =
  | { readonly kind: "record"; readonly changes: readonly Change[] }
  | { readonly kind: "start-run"; readonly run: Run; readonly changes: readonly Change[] };

export interface SchedulerDecision {
  readonly commands: readonly SchedulerCommand[];
  readonly wave: readonly TaskId[];
  /** When to look again without any news: a retry is due, or the next launch. */
  readonly again: Instant | undefined;
  /** Tasks that wait for a runner and nothing else, by runner. */
  readonly queued: ReadonlyMap<string, number>;
}

/** What starts now, and why everything else waits. */
export function decide(snapshot: SchedulerSnapshot): SchedulerDecision {
  const backlog = backlogOf(snapshot);
  const slots = freeSlots(snapshot.context.config, snapshot.limits, snapshot);
  const dispatch = dispatchOf(backlog, slots, snapshot);
  const waveOf = waveNumbers(backlog, snapshot.tasks);
  const byId = new Map(snapshot.tasks.map((task) => [task.id, task]));
  const blocked = backlog.blocked.flatMap((one) => block(byId.get(one.id), one, snapshot.now));
  const held = dispatch.waiting.filter(({ obstacle, code }) => {
    // A task that will be tried again keeps the reason that says what went wrong.
    return obstacle.kind !== "blocked" && code !== "retry-delay";
  });
  const waiting = held.flatMap((one) =>
    explain(byId.get(one.id), { waiting: one, wave: waveOf.get(one.id) }, snapshot.now),
  );
  const changes = [...blocked, ...waiting];
  return {
    commands: [
      ...(changes.length === 0 ? [] : [{ kind: "record", changes } as const]),
      ...dispatch.starts.flatMap((start, at) =>
        startRun(byId.get(start.id), { ...start, fence: snapshot.fence + 1 + at }, snapshot),
      ),
    ],
    wave: dispatch.wave,
    again: nextLook(dispatch, slots, snapshot),
    queued: queuedByRunner(dispatch, slots),
  };
}

export function backlogOf(snapshot: SchedulerSnapshot): Backlog {
  const { config } = snapshot.context;
  const planned = snapshot.tasks.filter((task) => isPlanned(task.state));
  const durationOf = expectedDurations(snapshot);
  return prepareBacklog(
    planned.map((task) => ({
      ...plannable(task, durationOf(task), snapshot),
      claims: claimsOf(task, snapshot.holds),
    })),
    {
      slots: config.limits.parallel,
      facts: snapshot.facts,
      claims: {
        ...{ barrier: config.barriers, shared: config.shared },
        isDirectory: knownDirectory(snapshot.directories),
      },
    },
  );
}

function plannable(task: Task, estimateMs: number, snapshot: SchedulerSnapshot): PlannableTask {
  const { id, issue, readySince, spec } = task;
  const { config } = snapshot.context;
  const budget = tighter(config.budget.perTask, snapshot.limits.budget.perTask);
  const invalid = holdsClaims(task.state)
    ? undefined
    : (spec.invalid ?? taskBudgetCause(task, budget, snapshot));
  return { ...spec, id, order: issue, readySince, estimateMs, invalid };
}

export function dispatchOf(
  backlog: Backlog,
  slots: FreeSlots,
  snapshot: SchedulerSnapshot,
): DispatchDecision {
  const { config } = snapshot.context;
  return decideStarts({
    now: snapshot.now,
    backlog,
    holding: snapshot.tasks.flatMap((task) => holdingOf(task, snapshot, backlog)),
    slots,
    rules: {
      schedule: config.schedule,
      onFailure: config.onFailure,
      reviewLimit: config.limits.review,
      launchDelayMs: snapshot.limits.launchDelayMs,
    },
    failures: snapshot.tasks.flatMap(({ id, state }) => (state === "failed" ? [id] : [])),
    notBefore: delays(snapshot),
    lastStartAt: latest(snapshot.running.map((run) => run.queuedAt)),
    wave: snapshot.wave,
    hold:
      pauseHold(snapshot.pause) ??
      dayBudgetHold({
        ...{ now: snapshot.now, repo: snapshot.context.repo, runs: costlyRuns(snapshot) },
        ...{ overall: snapshot.limits.budget.perDay, repository: config.budget.perDay },
      }),
  });
}

export function holdingOf(
  task: Task,
  { runs }: SchedulerSnapshot,
  { tasks, positions }: Backlog,
): readonly Holding[] {
  if (task.state !== "running" && task.state !== "review" && task.state !== "queued") return [];
  const run = runs.find((one) => one.task === task.id && one.state !== "finished");
  const expectedMs = tasks[positions.get(task.id) ?? -1]?.estimateMs ?? 0;
  const expectedEnd = run && instant((run.startedAt ?? run.queuedAt) + expectedMs);
  return [{ id: task.id, phase: task.state, expectedEnd, runner: run?.runner }];
}

/** Counted from 1; what is at work already is the first wave. */
function waveNumbers(backlog: Backlog, tasks: readonly Task[]): ReadonlyMap<TaskId, number> {
  const holding = tasks.flatMap(({ id, state }) =>
    holdsClaims(state) ? (backlog.positions.get(id) ?? []) : [],
  );
  const numbers = new Map<TaskId, number>();
  assignWaves(backlog, holding).forEach((wave, index) => {
    for (const at of wave) {
      const task = backlog.tasks[at];
      if (task !== undefined) numbers.set(task.id, index + 1);
    }
  });
  return numbers;
}

function block(task: Task | undefined, blocked: Blocked, at: Instant): readonly Change[] {
  if (task === undefined || holdsClaims(task.state)) return [];
  const { reason } = blocked.cause;
  if (task.state !== "blocked") {
    const from = task.state;
    return [{ kind: "task-moved", task: task.id, from, to: "blocked", reason, at, set: {} }];
  }
  if (task.reason === reason) return [];
  return [{ kind: "task-explained", task: task.id, reason, wave: undefined, at }];
}

function explain(
  task: Task | undefined,
  {
    waiting,
    wave,
  }: { readonly waiting: DispatchDecision["waiting"][number]; readonly wave: number | undefined },
  at: Instant,
): readonly Change[] {
  if (task === undefined) return [];
  const { reason } = waiting;
  if (task.state === "blocked") {
    const moved = { kind: "task-moved", task: task.id, from: "blocked", to: "waiting" } as const;
    return [{ ...moved, reason, at, set: {} }];
  }
  if (task.reason === reason && task.wave === wave) return [];
  return [{ kind: "task-explained", task: task.id, reason, wave, at }];
}

function startRun(
  task: Task | undefined,
  { reason, runner, fence }: Start & { readonly fence: number },
  { now, limits }: SchedulerSnapshot,
): readonly SchedulerCommand[] {
  if (task === undefined) return [];
  const attempt = task.attempts + 1;
  const run: Run = {
    id: runId(`${task.repo.replace("/", ".")}.${task.issue}.${attempt}`),
    task: task.id,
    specHash: task.specHash,
    attempt,
    runner: runner ?? limits.defaultRunner,
    branch: task.branch ?? `wavetrain/${task.issue}`,
    state: "queued",
    workspace: undefined,
    baseSha: undefined,
    logPath: undefined,
    queuedAt: now,
    startedAt: undefined,
    finishedAt: undefined,
    heartbeatAt: undefined,
    outcome: undefined,
    usage: undefined,
    session: undefined,
  };
  const moved: Change = {
    ...{ kind: "task-moved", task: task.id, from: task.state, to: "running", reason, at: now },
    set: { attempts: attempt, notBefore: null, branch: run.branch },
  };
  const { claims } = task.spec;
  const hold = { task: task.id, run: run.id, claims, fence, takenAt: now };
  const taken: Change = { kind: "claims-taken", hold };
  return [{ kind: "start-run", run, changes: [{ kind: "run-queued", run }, moved, taken] }];
}

function costlyRuns({ recent, running }: SchedulerSnapshot) {
  const underWay = running.map((run) => ({
    ...{ ...run, repo: repoOf(run.task) },
    startedAt: run.startedAt ?? run.queuedAt,
  }));
  return [...recent, ...underWay];
}

function latest(times: readonly Instant[]): Instant | undefined {
  return times.reduce<Instant | undefined>(
    (last, time) => (last === undefined || time > last ? time : last),
    undefined,
  );
}
