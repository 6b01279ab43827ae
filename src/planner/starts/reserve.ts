import type { Backlog } from "../waves/backlog.ts";
import { isReady } from "./situation.ts";
import type { DispatchRules, Holder, Situation } from "./situation.ts";

/** If a person has to act first, a task waits this many times longer before machines are kept idle for it. */
const WAIT_FACTOR_IN_REVIEW = 4;

/** A reservation is for a task that has waited too long: it is tried first, and nothing that would delay it may start. */
export interface Reservation {
  readonly at: number;
  /** Says when its blockers are expected to be gone. It is unknown while one of them waits for a person. */
  readonly startsAt: number | undefined;
  /** Says whether others have to keep out of its way. */
  readonly holdsBack: boolean;
}

/** Makes at most one reservation: of the tasks that have waited too long, it is for the one that is furthest past its limit. */
export function reserve(situation: Situation): Reservation | undefined {
  if (situation.wave !== undefined || situation.places !== undefined) return undefined;
  return longestWait(situation)?.reservation;
}

interface Wait {
  readonly due: number;
  readonly reservation: Reservation;
}

/** Every round walks the whole queue, so the cheap tests that rule a task out come before any call. */
function longestWait(situation: Situation): Wait | undefined {
  const { queue, standings, now } = situation;
  const limits = limitsOf(situation);
  let longest: Wait | undefined;
  let before = Infinity;
  for (const at of queue) {
    const limit = limits[at] ?? Infinity;
    if (limit > now || limit >= before || standings[at] !== "waiting") continue;
    longest = overdue(at, before, situation) ?? longest;
    before = longest?.due ?? Infinity;
  }
  return longest;
}

const known = new WeakMap<
  Backlog,
  { readonly rules: DispatchRules; readonly limits: Float64Array }
>();

/** Says when each task reaches its limit, by position. This is worked out once for a backlog. */
function limitsOf({ backlog, rules }: Situation): Float64Array {
  const cached = known.get(backlog);
  if (
    cached?.rules.reserveAfterMs === rules.reserveAfterMs &&
    cached.rules.reserveAloneAfterMs === rules.reserveAloneAfterMs
  ) {
    return cached.limits;
  }
  const limits = Float64Array.from(
    backlog.tasks,
    (task, at) => task.readySince + limitFor(at, { backlog, rules }),
  );
  known.set(backlog, { rules, limits });
  return limits;
}

function overdue(at: number, before: number, situation: Situation): Wait | undefined {
  if (!isReady(at, situation)) return undefined;
  const since = situation.backlog.tasks[at]?.readySince ?? 0;
  const limitMs = limitFor(at, situation);
  const blockers = blockersOf(at, situation);
  const due = since + limitMs * waitFactor(blockers);
  if (due > situation.now || due >= before) return undefined;
  return { due, reservation: reservationFor(at, blockers, situation) };
}

function limitFor(at: number, { backlog, rules }: Pick<Situation, "backlog" | "rules">): number {
  return backlog.alone[at] === true ? rules.reserveAloneAfterMs : rules.reserveAfterMs;
}

function blockersOf(at: number, { holders, backlog }: Situation): readonly Holder[] {
  return holders.filter((holder) => backlog.graph.conflicts(holder.at, at));
}

function waitFactor(blockers: readonly Holder[]): number {
  return blockers.some((holder) => holder.stage === "review") ? WAIT_FACTOR_IN_REVIEW : 1;
}

function reservationFor(at: number, blockers: readonly Holder[], situation: Situation) {
  return {
    at,
    startsAt: latestEnd(blockers, situation.now),
    holdsBack: situation.backlog.alone[at] === true || wasOvertaken(at, blockers, situation),
  };
}

/** In a fixed backlog nobody starves, and reservations would only cost time: they protect from newcomers. */
function wasOvertaken(at: number, blockers: readonly Holder[], { backlog }: Situation): boolean {
  const since = backlog.tasks[at]?.readySince ?? 0;
  return blockers.some((holder) => (backlog.tasks[holder.at]?.readySince ?? 0) > since);
}

function latestEnd(blockers: readonly Holder[], now: number): number | undefined {
  let latest = now;
  for (const { endsAt } of blockers) {
    if (endsAt === undefined) return undefined;
    latest = Math.max(latest, endsAt);
  }
  return latest;
}
