import { isApproved } from "../domain/approval.ts";
import type { Change } from "../domain/change.ts";
import { claimsOf } from "../domain/claim-hold.ts";
import { knownDirectory } from "../domain/claim/known-directory.ts";
import { tighter } from "../domain/budget.ts";
import { instant, repoOf } from "../domain/ids.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import type { Blocked, PlannableTask } from "../domain/plan.ts";
import { holdsClaims, isPlanned } from "../domain/task.ts";
import type { Task } from "../domain/task.ts";
import { assignWaves } from "../planner/assign-waves.ts";
import type { Backlog } from "../planner/backlog.ts";
import { prepareBacklog } from "../planner/backlog.ts";
import { decideStarts } from "../planner/decide-starts.ts";
import type { DispatchDecision, DispatchSnapshot, Holding } from "../planner/decide-starts.ts";
import { dayBudgetHold } from "./day-budget.ts";
import { decideCandidates } from "./decide-candidates.ts";
import type { CandidateDecision } from "./decide-candidates.ts";
import { finishingHold } from "./finishing-hold.ts";
import { expectedDurations } from "./expected-duration.ts";
import { dependenciesOf } from "./phases.ts";
import { nextLook } from "./next-look.ts";
import { pauseHold } from "./pause-hold.ts";
import { queuedByRunner } from "./queued-by-runner.ts";
import { delays } from "./delays.ts";
import { freeSlots } from "./slots.ts";
import { startRun, withFences } from "./start-run.ts";
import type { StartRun } from "./start-run.ts";
import type { SchedulerSnapshot } from "./snapshot.ts";
import { taskBudgetCause } from "./task-budget.ts";

export type SchedulerCommand =
  | { readonly kind: "record"; readonly changes: readonly Change[] }
  | StartRun
  /** Every candidate of the task has ended. */
  | { readonly kind: "promote"; readonly task: TaskId };

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
  const room = roomIn(snapshot);
  const { candidates, slots } = room;
  const dispatch = dispatchOf(backlog, room, snapshot);
  const waveOf = waveNumbers(backlog, snapshot.tasks);
  const byId = new Map(snapshot.tasks.map((task) => [task.id, task]));
  const blocked = backlog.blocked.flatMap((one) => block(byId.get(one.id), one, snapshot.now));
  const held = dispatch.waiting.filter(({ obstacle, code }) => {
    // A task that will be tried again keeps the reason that says what went wrong.
    return obstacle.kind !== "blocked" && code !== "retry-delay";
  });
  const waiting = held.flatMap((one) =>
    explain(
      byId.get(one.id),
      { reason: reasonOf(one, snapshot.limits), wave: waveOf.get(one.id) },
      snapshot.now,
    ),
  );
  const changes = [...blocked, ...waiting];
  return {
    commands: [
      ...candidates.promotions.map((task) => ({ kind: "promote", task }) as const),
      ...candidates.starts.map((run) => {
        return { kind: "start-run", run, changes: [{ kind: "run-queued", run }] } as const;
      }),
      ...withFences(dispatch.starts, snapshot).flatMap((start) =>
        startRun(byId.get(start.id), start, snapshot),
      ),
      // Last: a thousand that wait have a thousand reasons to write down, and slots are not to wait for them.
      ...(changes.length === 0 ? [] : [{ kind: "record", changes } as const]),
    ],
    wave: dispatch.wave,
    again: soonest(nextLook(dispatch, slots, snapshot), candidates.again),
    queued: queuedByRunner(dispatch, slots),
  };
}

export interface Room extends Pick<DispatchSnapshot, "slots" | "lastStartAt" | "hold"> {
  readonly candidates: CandidateDecision;
}

/** What is left for new runs once further candidates of those at work have had theirs. */
export function roomIn(snapshot: SchedulerSnapshot): Room {
  const { pause, now, limits, finishing: load } = snapshot;
  const hold =
    pauseHold(pause) ??
    budgetHold(snapshot) ??
    (load && finishingHold({ now, places: limits.finishing, load }));
  const candidates = candidatesOf(snapshot, hold !== undefined);
  const { slots, lastStartAt } = candidates;
  return { candidates, slots, lastStartAt, hold };
}

function budgetHold(snapshot: SchedulerSnapshot): ReturnType<typeof dayBudgetHold> {
  const { now, context, limits } = snapshot;
  return dayBudgetHold({
    ...{ now, repo: context.repo, runs: costlyRuns(snapshot) },
    ...{ overall: limits.budget.perDay, repository: context.config.budget.perDay },
  });
}

function candidatesOf(snapshot: SchedulerSnapshot, held: boolean): CandidateDecision {
  const { context, limits, running } = snapshot;
  return decideCandidates({
    ...{ ...snapshot, held, launchDelayMs: limits.launchDelayMs },
    slots: freeSlots(context.config, limits, snapshot),
    lastStartAt: latest(running.map((run) => run.queuedAt)),
  });
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
    : (spec.invalid ?? cycleCause(task, snapshot) ?? taskBudgetCause(task, budget, snapshot));
  const dependsOn = dependenciesOf(task, snapshot.phases ?? new Map());
  return { ...spec, dependsOn, id, order: issue, readySince, estimateMs, invalid };
}

function cycleCause({ id }: Task, { cycles }: SchedulerSnapshot): Blocked["cause"] | undefined {
  const reason = cycles?.get(id);
  return reason === undefined ? undefined : { code: "dependency-cycle", reason };
}

export function dispatchOf(
  backlog: Backlog,
  room: Pick<DispatchSnapshot, "slots" | "lastStartAt" | "hold">,
  snapshot: SchedulerSnapshot,
): DispatchDecision {
  const { config } = snapshot.context;
  return decideStarts({
    now: snapshot.now,
    backlog,
    holding: snapshot.tasks.flatMap((task) => holdingOf(task, snapshot, backlog)),
    ...room,
    rules: {
      schedule: config.schedule,
      onFailure: config.onFailure,
      reviewLimit: config.limits.review,
      launchDelayMs: snapshot.limits.launchDelayMs,
    },
    failures: snapshot.tasks.flatMap(({ id, state }) => (state === "failed" ? [id] : [])),
    notBefore: delays(snapshot),
    wave: snapshot.wave,
  });
}

export function holdingOf(
  task: Task,
  snapshot: SchedulerSnapshot,
  { tasks, positions }: Backlog,
): readonly Holding[] {
  const phase = phaseOf(task, snapshot);
  if (phase === undefined) return [];
  const run = snapshot.runs.find((one) => one.task === task.id && one.state !== "finished");
  const expectedMs = tasks[positions.get(task.id) ?? -1]?.estimateMs ?? 0;
  const expectedEnd = run && instant((run.startedAt ?? run.queuedAt) + expectedMs);
  return [{ id: task.id, phase, expectedEnd, runner: run?.runner }];
}

function phaseOf(task: Task, snapshot: SchedulerSnapshot): Holding["phase"] | undefined {
  const { id, state } = task;
  if (state === "running" || state === "queued") return state;
  if (state !== "review") return undefined;
  if (snapshot.rework.has(id)) return "rework";
  return isReviewed(task, snapshot) ? "queued" : "review";
}

/** Also while the train has not taken the approval in: it does that when it is its turn, and may be waiting for GitHub. */
function isReviewed({ pull: number }: Task, { pulls, context }: SchedulerSnapshot): boolean {
  const pull = pulls.find((one) => one.number === number);
  return pull !== undefined && isApproved(pull, context.config.train);
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

const OF_ONE_HOST: ReadonlySet<string> = new Set(["overall", "runner", "memory"]);

/**
 * What is written beside every task that waits, so it must not change with each run that starts or ends; `/explain` has the rest.
 * And servers that share a store say the same of a task for which none has room: each would correct the others for ever.
 */
function reasonOf(
  { obstacle, reason }: DispatchDecision["waiting"][number],
  { shared = false }: SchedulerSnapshot["limits"],
): string {
  const isFinishing = obstacle.kind === "held" && obstacle.code === "finishing";
  const ofHost = obstacle.kind === "no-slot" && OF_ONE_HOST.has(obstacle.of.kind);
  if (shared && (ofHost || isFinishing)) return "no free slot on any server";
  return isFinishing ? "no slot is free" : reason;
}

function explain(
  task: Task | undefined,
  { reason, wave }: { readonly reason: string; readonly wave: number | undefined },
  at: Instant,
): readonly Change[] {
  if (task === undefined || holdsClaims(task.state)) return [];
  if (task.state === "blocked") {
    const moved = { kind: "task-moved", task: task.id, from: "blocked", to: "waiting" } as const;
    return [{ ...moved, reason, at, set: {} }];
  }
  if (task.reason === reason && task.wave === wave) return [];
  return [{ kind: "task-explained", task: task.id, reason, wave, at }];
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

function soonest(a: Instant | undefined, b: Instant | undefined): Instant | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}
