import type { DispatchDecision } from "../planner/decide-starts.ts";
import type { WaitCode } from "../planner/obstacle.ts";
import type { FreeSlots } from "../planner/slot-ledger.ts";

const FOR_A_RUNNER: ReadonlySet<WaitCode> = new Set([
  ...(["no-slot", "runner-paused", "launch-delay", "budget"] as const),
]);

/** How many tasks wait for each runner and for nothing else. */
export function queuedByRunner(
  { waiting }: DispatchDecision,
  { routes }: FreeSlots,
): ReadonlyMap<string, number> {
  const queued = new Map<string, number>();
  for (const { id, code } of waiting) {
    const runner = FOR_A_RUNNER.has(code) ? routes?.get(id)?.runners[0] : undefined;
    if (runner !== undefined) queued.set(runner, (queued.get(runner) ?? 0) + 1);
  }
  return queued;
}
