import type { TaskId } from "../../domain/ids.ts";
import type { PlannableTask } from "../../domain/plan.ts";
import { taskName } from "../waves/task-name.ts";
import type { BehindCode, Obstacle, SlotKind } from "./obstacle.ts";
import type { Reservation } from "./reserve.ts";
import { delayedUntil } from "./situation.ts";
import type { Holder, Situation } from "./situation.ts";

/** This is one task that would like to start, in one round of dispatch. */
export interface StartRequest {
  readonly at: number;
  readonly task: PlannableTask;
  readonly situation: Situation;
  readonly reservation: Reservation | undefined;
}

type Check = (request: StartRequest) => Obstacle | undefined;

/** The checks go from obstacles that only people can remove to those that pass by themselves. The first that applies is the reason. */
const CHECKS: readonly Check[] = [
  blockedForGood,
  openDependency,
  retryDelay,
  stoppedByFailure,
  outsideWave,
  heldClaims,
  laterInPlan,
  delaysReservation,
  reviewLimit,
  heldBack,
  missingRunner,
  missingSlot,
];

export function findObstacle(request: StartRequest): Obstacle | undefined {
  for (const check of CHECKS) {
    const obstacle = check(request);
    if (obstacle !== undefined) return obstacle;
  }
  return undefined;
}

/** Finds what a task that already holds its claims still lacks. */
export function findSlotObstacle(request: StartRequest): Obstacle | undefined {
  return heldBack(request) ?? missingRunner(request) ?? missingSlot(request);
}

function blockedForGood({ at, situation }: StartRequest): Obstacle | undefined {
  const cause = situation.backlog.dependencies.causes[at];
  return cause === undefined ? undefined : { kind: "blocked", ...cause };
}

function openDependency({ at, situation }: StartRequest): Obstacle | undefined {
  const { backlog, standings } = situation;
  for (const other of backlog.dependencies.before[at] ?? []) {
    if (standings[other] === "landed") continue;
    if (standings[other] !== "ended") return behind("dependency", other, situation);
    const name = taskName(idAt(other, situation), idAt(at, situation));
    const reason = `depends on ${name}, which ended without landing`;
    return { kind: "blocked", code: "dependency-failed", reason };
  }
  return undefined;
}

function retryDelay({ at, situation }: StartRequest): Obstacle | undefined {
  const until = delayedUntil(at, situation);
  return until === undefined ? undefined : { kind: "pause", code: "retry-delay", until };
}

function stoppedByFailure({ situation }: StartRequest): Obstacle | undefined {
  const failed = situation.failures[0];
  if (situation.rules.onFailure === "continue" || failed === undefined) return undefined;
  return { kind: "behind", code: "stopped", blocker: failed };
}

function outsideWave({ at, situation }: StartRequest): Obstacle | undefined {
  const { wave, standings } = situation;
  if (wave === undefined || wave.has(at)) return undefined;
  const open = [...wave].find((other) => standings[other] === "holding") ?? [...wave][0] ?? at;
  return behind("wave", open, situation);
}

function heldClaims({ at, situation }: StartRequest): Obstacle | undefined {
  const { backlog, holders } = situation;
  for (const holder of holders) {
    if (backlog.alone[at] === true) return behind("runs-alone", holder.at, situation);
    if (backlog.alone[holder.at] === true) return behind("kept-out", holder.at, situation);
    // The holder's row comes first: it stays in the processor's cache while thousands of candidates pass.
    if (backlog.graph.conflicts(holder.at, at)) return behind("conflict", holder.at, situation);
  }
  return undefined;
}

function laterInPlan({ at, situation }: StartRequest): Obstacle | undefined {
  const { places, backlog, standings } = situation;
  if (places === undefined) return undefined;
  const place = places[at] ?? Infinity;
  for (const other of backlog.graph.neighbours(at)) {
    if ((places[other] ?? Infinity) < place && standings[other] === "waiting") {
      return behind("plan-order", other, situation);
    }
  }
  return undefined;
}

function delaysReservation({
  at,
  task,
  situation,
  reservation,
}: StartRequest): Obstacle | undefined {
  if (reservation?.holdsBack !== true || reservation.at === at) return undefined;
  if (!situation.backlog.graph.conflicts(at, reservation.at)) return undefined;
  const endsAt = situation.now + task.estimateMs + situation.rules.landingMs;
  if (reservation.startsAt !== undefined && endsAt <= reservation.startsAt) return undefined;
  return behind("reserved", reservation.at, situation);
}

function reviewLimit({ situation }: StartRequest): Obstacle | undefined {
  const { reviewLimit: limit } = situation.rules;
  if (limit === Infinity) return undefined;
  const waiting = situation.holders.filter((holder) => holder.stage === "review").length;
  return waiting < limit ? undefined : { kind: "review-limit", code: "review-limit", limit };
}

function heldBack({ situation: { startBan } }: StartRequest): Obstacle | undefined {
  return startBan === undefined ? undefined : { kind: "held", ...startBan };
}

function missingRunner({ task, situation: { slots } }: StartRequest): Obstacle | undefined {
  const runner = slots.runnerFor(task);
  if (runner === undefined) return undefined;
  if (!slots.hasRunner(runner)) return { kind: "runner", code: "runner-unknown", runner };
  const pause = slots.pauseOf(runner);
  return pause && { kind: "runner-paused", code: "runner-paused", runner, ...pause };
}

function missingSlot({ task, situation }: StartRequest): Obstacle | undefined {
  const missing = situation.slots.missingFor(task);
  if (missing === undefined) return undefined;
  const next = firstToFree(missing, situation);
  const blocker = next === undefined ? undefined : idAt(next.at, situation);
  return { kind: "no-slot", code: "no-slot", of: missing, blocker };
}

function firstToFree(missing: SlotKind, situation: Situation): Holder | undefined {
  let first: Holder | undefined;
  for (const holder of situation.holders) {
    if (!usesSlot(holder, missing, situation)) continue;
    if (first === undefined || (holder.endsAt ?? Infinity) < (first.endsAt ?? Infinity)) {
      first = holder;
    }
  }
  return first;
}

function usesSlot(holder: Holder, slot: SlotKind, { backlog, slots }: Situation): boolean {
  const task = backlog.tasks[holder.at];
  if (task === undefined || holder.stage !== "running") return false;
  if (slot.kind === "parent") return task.parent === slot.parent;
  return slot.kind !== "runner" || (holder.runner ?? slots.runnerFor(task)) === slot.runner;
}

function behind(code: BehindCode, at: number, situation: Situation): Obstacle {
  return { kind: "behind", code, blocker: idAt(at, situation) };
}

function idAt(at: number, { backlog }: Situation): TaskId {
  const task = backlog.tasks[at];
  if (task === undefined) throw new Error(`no task at position ${at}`);
  return task.id;
}
