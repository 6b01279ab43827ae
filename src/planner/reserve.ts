import { isReady } from "./situation.ts";
import type { Holder, Situation } from "./situation.ts";

/** While a person has to act first, machines are not kept idle for the task until it has waited this much longer. */
const PATIENCE_WITH_PEOPLE = 4;

/** A task that has waited too long: it is tried first, and nothing that would delay it may start. */
export interface Reservation {
  readonly at: number;
  /** When its blockers are expected to be gone; unknown while one of them waits for a person. */
  readonly startsAt: number | undefined;
  /** Whether others have to keep out of its way. */
  readonly holdsBack: boolean;
}

/** At most one reservation: of the tasks that have waited too long, the one that is furthest past its limit. */
export function reserve(situation: Situation): Reservation | undefined {
  if (situation.wave !== undefined || situation.places !== undefined) return undefined;
  let longest: { readonly due: number; readonly reservation: Reservation } | undefined;
  for (const at of situation.queue) {
    longest = overdue(at, longest?.due ?? Infinity, situation) ?? longest;
  }
  return longest?.reservation;
}

function overdue(at: number, before: number, situation: Situation) {
  const since = situation.backlog.tasks[at]?.readySince ?? 0;
  const limitMs = limitFor(at, situation);
  const soonest = since + limitMs;
  if (soonest > situation.now || soonest >= before || !isReady(at, situation)) return undefined;
  const blockers = blockersOf(at, situation);
  const due = since + limitMs * patienceWith(blockers);
  if (due > situation.now || due >= before) return undefined;
  return { due, reservation: reservationFor(at, blockers, situation) };
}

function limitFor(at: number, { backlog, rules }: Situation): number {
  return backlog.alone[at] === true ? rules.reserveAloneAfterMs : rules.reserveAfterMs;
}

function blockersOf(at: number, { holders, backlog }: Situation): readonly Holder[] {
  return holders.filter((holder) => backlog.graph.conflicts(holder.at, at));
}

function patienceWith(blockers: readonly Holder[]): number {
  return blockers.some((holder) => holder.phase === "review") ? PATIENCE_WITH_PEOPLE : 1;
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
