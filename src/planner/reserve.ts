import type { Backlog } from "./backlog.ts";
import { isReady } from "./situation.ts";
import type { DispatchRules, Holder, Situation } from "./situation.ts";

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
  return longestWait(situation)?.reservation;
}

interface Wait {
  readonly due: number;
  readonly reservation: Reservation;
}

/** Every round walks the whole queue, so what rules a task out comes before any call. */
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

/** When each task reaches its limit, by position; worked out once for a backlog. */
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
  const due = since + limitMs * patienceWith(blockers);
  if (due > situation.now || due >= before) return undefined;
  return { due, reservation: reservationFor(at, blockers, situation) };
}

function limitFor(at: number, { backlog, rules }: Pick<Situation, "backlog" | "rules">): number {
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
