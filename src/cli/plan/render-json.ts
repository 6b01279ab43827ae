import { listConflicts } from "../../planner/list-conflicts.ts";
import type { PlanView } from "./make-plan.ts";

const MINUTE = 60_000;
/** Thousands of tasks have millions of conflicts, and each example takes time to find. */
const MOST_CONFLICTS = 1000;

/** A contract that scripts rely on. Times are minutes from the start of the plan, slots are counted from 0. */
export function renderJson({ plan, backlog, request }: PlanView): string {
  const most = request.conflicts ?? MOST_CONFLICTS;
  const { conflicts, leftOut } = listConflicts(backlog, request.claims, most);
  const shape = {
    waves: plan.waves,
    blocked: plan.blocked.map(({ id, cause }) => ({ id, code: cause.code, reason: cause.reason })),
    schedule: plan.schedule.map(({ id, startMs, endMs, slot }) => ({
      id,
      start: startMs / MINUTE,
      end: endMs / MINUTE,
      slot,
    })),
    makespan: plan.makespanMs / MINUTE,
    lowerBound: plan.lowerBoundMs / MINUTE,
    conflicts,
    ...(leftOut > 0 && { conflictsLeftOut: leftOut }),
  };
  return JSON.stringify(shape, null, 2);
}
