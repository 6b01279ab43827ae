import { instant } from "../domain/ids.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import type { DispatchDecision } from "../planner/decide-starts.ts";
import type { FreeSlots } from "../planner/slot-ledger.ts";
import { delays } from "./delays.ts";
import type { SchedulerSnapshot } from "./snapshot.ts";

/** Nobody tells us when memory is free again. */
const MEMORY_LOOK_MS = 15_000;

/** When something may have changed without any news: a retry or a launch is due, a pause or somebody's patience ends. */
export function nextLook(
  { waiting }: DispatchDecision,
  slots: FreeSlots,
  snapshot: SchedulerSnapshot,
): Instant | undefined {
  const { now } = snapshot;
  const times = waiting.flatMap(({ id, obstacle }): readonly Instant[] => {
    if ("until" in obstacle) return [obstacle.until ?? now];
    if (obstacle.kind !== "no-slot") return [];
    if (obstacle.of.kind === "memory") return [instant(now + MEMORY_LOOK_MS)];
    return obstacle.of.kind === "runner" ? patienceEnd(id, slots) : [];
  });
  // What only a person can end has no time of its own and falls out here.
  const due = [...delays(snapshot).values(), ...times].filter((time) => time > now);
  return due.length === 0 ? undefined : instant(Math.min(...due));
}

/** Another runner may take the task then. */
function patienceEnd(id: TaskId, { routes }: FreeSlots): readonly Instant[] {
  const route = routes?.get(id);
  return route !== undefined && route.runners.length > 1 ? [route.patientUntil] : [];
}
