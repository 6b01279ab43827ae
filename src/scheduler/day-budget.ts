import { spentBy, usedUp } from "../domain/budget.ts";
import type { Budget, CostlyRun } from "../domain/budget.ts";
import type { RepoName } from "../domain/ids.ts";
import { instant } from "../domain/ids.ts";
import type { Instant } from "../domain/ids.ts";
import type { Hold } from "../planner/obstacle.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Days begin at 00:00 UTC: the same on every host. */
export function startOfDay(now: Instant): Instant {
  return instant(now - (now % DAY_MS));
}

export interface DaySpending {
  readonly now: Instant;
  readonly repo: RepoName;
  /** Of every repository: ended today, or under way. */
  readonly runs: readonly (CostlyRun & { readonly repo: RepoName })[];
  readonly overall: Budget;
  readonly repository: Budget;
}

/** Why nothing more starts today, if a budget of the day is spent. */
export function dayBudgetHold(spending: DaySpending): Hold | undefined {
  const { now, repo, runs, overall, repository } = spending;
  const from = startOfDay(now);
  const here = runs.filter((run) => run.repo === repo);
  const all = usedUp(overall, spentBy(runs, { from, now }));
  const own = usedUp(repository, spentBy(here, { from, now }));
  const what =
    all === undefined
      ? own && `this repository's budget of ${own} a day`
      : `the day's budget of ${all}`;
  if (what === undefined) return undefined;
  const until = instant(from + DAY_MS);
  return { code: "budget", reason: `${what} is spent: continues at 00:00 UTC`, until };
}
