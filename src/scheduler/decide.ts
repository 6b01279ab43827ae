import type { Change } from "../domain/change.ts";
import { instant, soonest } from "../domain/ids.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import type { Blocked } from "../domain/plan.ts";
import { holdsClaims } from "../domain/task.ts";
import type { Task } from "../domain/task.ts";
import type { DispatchDecision } from "../planner/starts/decide-starts.ts";
import type { FreeSlots } from "../planner/starts/slot-ledger.ts";
import type { Backlog } from "../planner/waves/backlog.ts";
import { backlogOf, dispatchOf, freeSlotsIn, delays } from "./decide-dispatch.ts";
import { queuedByRunner } from "./slots/routes.ts";
import type { SchedulerSnapshot } from "./snapshot.ts";
import { decideStart, withFences } from "./start-run.ts";
import type { StartRun } from "./start-run.ts";
import { wavesOf } from "./waves-of.ts";

export type SchedulerAction =
  | { readonly kind: "record"; readonly changes: readonly Change[] }
  | StartRun
  /** Nothing more is tried for the task. */
  | { readonly kind: "promote"; readonly task: TaskId };

export interface SchedulerDecision {
  readonly actions: readonly SchedulerAction[];
  readonly wave: readonly TaskId[];
  /** Says when to look again without any news: a retry is due, or the next launch. */
  readonly again: Instant | undefined;
  /** Counts, by runner, the tasks that wait for that runner and nothing else. */
  readonly queued: ReadonlyMap<string, number>;
}

/** Decides what starts now, and says why everything else waits. */
export function decide(snapshot: SchedulerSnapshot): SchedulerDecision {
  const backlog = backlogOf(snapshot);
  const room = freeSlotsIn(snapshot);
  const { evaluations, slots } = room;
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
    actions: [
      ...evaluations.levels.map((level) => ({ kind: "record", changes: [level] }) as const),
      ...evaluations.ended.map((task) => ({ kind: "promote", task }) as const),
      ...evaluations.starts.map((run) => {
        return { kind: "start-run", run, changes: [{ kind: "run-queued", run }] } as const;
      }),
      ...withFences(dispatch.starts, snapshot).flatMap((start) =>
        decideStart(byId.get(start.id), { ...start, wave: waveOf.get(start.id) }, snapshot),
      ),
      // Reasons come last: a thousand waiting tasks have a thousand reasons to write down, and slots must not wait for that.
      ...(changes.length === 0 ? [] : [{ kind: "record", changes } as const]),
    ],
    wave: dispatch.wave,
    again: soonest(
      nextLook(dispatch, slots, snapshot),
      evaluations.again,
      // The evaluations of a level that was just opened need no news to begin.
      evaluations.levels.length === 0 ? undefined : snapshot.now,
    ),
    queued: queuedByRunner(dispatch, slots),
  };
}

function waveNumbers(backlog: Backlog, tasks: readonly Task[]): ReadonlyMap<TaskId, number> {
  const { first, waves } = wavesOf(backlog, tasks);
  const numbers = waves.flatMap((wave, index) =>
    wave.flatMap((at) => {
      const task = backlog.tasks[at];
      return task === undefined ? [] : [[task.id, first + index] as const];
    }),
  );
  return new Map(numbers);
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

const SLOT_KINDS_OF_ONE_HOST: ReadonlySet<string> = new Set(["overall", "runner", "memory"]);

/**
 * Words the reason that is written beside every waiting task. It must not change with each run that starts or ends;
 * `/explain` has the rest. Servers that share a store must also say the same of a task for which none has room, or each
 * would correct the others for ever.
 */
function reasonOf(
  { obstacle, reason }: DispatchDecision["waiting"][number],
  { shared = false }: SchedulerSnapshot["limits"],
): string {
  const isFinishing = obstacle.kind === "held" && obstacle.code === "finishing";
  const ofHost = obstacle.kind === "no-slot" && SLOT_KINDS_OF_ONE_HOST.has(obstacle.of.kind);
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

/** Nobody tells us when memory is free again, so we look after this time. */
const MEMORY_RETRY_MS = 15_000;

/** Says when something may have changed without any news: a retry or a launch is due, or a pause or the wait for a busy runner ends. */
function nextLook(
  { waiting }: DispatchDecision,
  slots: FreeSlots,
  snapshot: SchedulerSnapshot,
): Instant | undefined {
  const { now } = snapshot;
  const times = waiting.flatMap(({ id, obstacle }): readonly Instant[] => {
    if ("until" in obstacle) return [obstacle.until ?? now];
    if (obstacle.kind !== "no-slot") return [];
    if (obstacle.of.kind === "memory") return [instant(now + MEMORY_RETRY_MS)];
    return obstacle.of.kind === "runner" ? standInFrom(id, slots) : [];
  });
  // A ban that only a person can end has no time of its own and is dropped here.
  const due = [...delays(snapshot).values(), ...times].filter((time) => time > now);
  return due.length === 0 ? undefined : instant(Math.min(...due));
}

/** Says when another runner may take the task. */
function standInFrom(id: TaskId, { routes }: FreeSlots): readonly Instant[] {
  const route = routes?.get(id);
  return route !== undefined && route.runners.length > 1 ? [route.patientUntil] : [];
}
