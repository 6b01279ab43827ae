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

/** At most one reservation: of the tasks that have waited too long, the one that has waited longest past its limit. */
export function reserve(situation: Situation): Reservation | undefined {
  if (situation.wave !== undefined || situation.places !== undefined) return undefined;
  const { eldest } = situation.backlog.ranking;
  const { reserveAloneAfterMs, reserveAfterMs } = situation.rules;
  const alone = firstOverdue(eldest.alone, reserveAloneAfterMs, situation);
  const other = firstOverdue(eldest.others, reserveAfterMs, situation);
  if (alone === undefined || other === undefined) return (alone ?? other)?.reservation;
  return (other.due < alone.due ? other : alone).reservation;
}

function firstOverdue(eldest: readonly number[], limitMs: number, situation: Situation) {
  for (const at of eldest) {
    const since = situation.backlog.tasks[at]?.readySince ?? 0;
    if (since + limitMs > situation.now) return undefined;
    if (!isReady(at, situation)) continue;
    const blockers = situation.holders.filter((holder) =>
      situation.backlog.graph.conflicts(holder.at, at),
    );
    const patience = blockers.some((holder) => holder.phase === "review")
      ? PATIENCE_WITH_PEOPLE
      : 1;
    const due = since + patience * limitMs;
    if (due <= situation.now) return { due, reservation: reservationFor(at, blockers, situation) };
  }
  return undefined;
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
