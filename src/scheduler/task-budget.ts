import { spentBy, usedUp } from "../domain/budget.ts";
import { runsOfTask } from "../domain/candidates.ts";
import type { Budget } from "../domain/budget.ts";
import type { Instant } from "../domain/ids.ts";
import type { Blocked } from "../domain/plan.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";

/** Why a task may not be tried again, if what it cost since it was last asked for is its whole budget. */
export function taskBudgetCause(
  task: Task,
  budget: Budget,
  { runs, now }: { readonly runs: readonly Run[]; readonly now: Instant },
): Blocked["cause"] | undefined {
  if (task.attempts === 0) return undefined;
  const its = runsOfTask(task.id, runs).filter((run) => run.queuedAt >= task.readySince);
  const spent = usedUp(budget, spentBy(its, { from: 0, now }));
  if (spent === undefined) return undefined;
  const reason = `its budget of ${spent} is spent: raise the budget, or take the card away and move it to Ready again`;
  return { code: "over-budget", reason };
}
