import type { Instant } from "../../domain/ids.ts";

export interface BusyTime {
  readonly runner: string;
  readonly startedAt: Instant | undefined;
  /** It is undefined while the run is under way. */
  readonly finishedAt: Instant | undefined;
}

export interface UtilizationWindow {
  readonly from: Instant;
  readonly now: Instant;
  /** Counts the slots of each runner. */
  readonly slots: ReadonlyMap<string, number>;
}

/** Says how much of each runner's slots was in use, from 0 to 1. */
export function utilizationOf(
  runs: readonly BusyTime[],
  { from, now, slots }: UtilizationWindow,
): ReadonlyMap<string, number> {
  const busy = new Map<string, number>();
  for (const { runner, startedAt, finishedAt } of runs) {
    if (startedAt === undefined) continue;
    const ms = Math.min(finishedAt ?? now, now) - Math.max(startedAt, from);
    if (ms > 0) busy.set(runner, (busy.get(runner) ?? 0) + ms);
  }
  const window = Math.max(1, now - from);
  return new Map(
    [...slots].map(([runner, count]) => [
      runner,
      Math.min(1, (busy.get(runner) ?? 0) / (window * count)),
    ]),
  );
}
