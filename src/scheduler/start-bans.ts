import { spentBy, usedUp } from "../domain/budget.ts";
import type { Budget, CostlyRun } from "../domain/budget.ts";
import { runsOfTask } from "../domain/explore/contenders.ts";
import type { RepoPause } from "../domain/given-command.ts";
import { instant, repoOf } from "../domain/ids.ts";
import type { Instant, RepoName } from "../domain/ids.ts";
import type { Blocked } from "../domain/plan.ts";
import type { FinishingLoad, Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { StartBan } from "../planner/starts/obstacle.ts";
import { plainWords } from "../shared/quote.ts";
import type { SchedulerSnapshot } from "./snapshot.ts";

export interface FinishingSituation {
  readonly now: Instant;
  /** So many runs have a place in the finishing room. */
  readonly places: number;
  readonly load: FinishingLoad;
}

/** Says why nothing new starts in the repository, whatever waits there. */
export function startBanIn(snapshot: SchedulerSnapshot): StartBan | undefined {
  const { pause, now, limits, finishing: load } = snapshot;
  return (
    pauseBan(pause) ??
    budgetBan(snapshot) ??
    (load && finishingBan({ now, places: limits.finishing, load }))
  );
}

/** Says why a task may not be tried again, if it has spent its whole budget since it was last asked for. */
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

/** Words it like `paused by ann: waiting for the release`. */
export function wordRepoPause({ by, reason }: RepoPause): string {
  return `paused by ${by}${reason === "" ? "" : `: ${plainWords(reason)}`}`;
}

/** If more runs than this times its places are in the finishing room, nothing more is started. */
const MAX_RUNS_PER_PLACE = 4;
/** If a pull request waits for longer than this, GitHub takes fewer than the agents make. */
const MAX_UNPUBLISHED_MS = 60_000;
/** This is only a fallback: the end of the congestion wakes the repository by itself. */
const LOOK_AGAIN_MS = 15_000;

/** Says why nothing new starts: agents end faster than their changes can be verified, or pull requests opened. */
export function finishingBan({ now, places, load }: FinishingSituation): StartBan | undefined {
  const { finishing, publishingSince } = load;
  const until = instant(now + LOOK_AGAIN_MS);
  if (finishing > MAX_RUNS_PER_PLACE * places) {
    const reason = `waits: ${finishing} runs are to be verified and pushed first, ${places} at a time`;
    return { code: "finishing", reason, until };
  }
  if (publishingSince === undefined || now - publishingSince <= MAX_UNPUBLISHED_MS)
    return undefined;
  const reason = "waits: finished changes have no pull request yet, GitHub takes no more for now";
  return { code: "publishing", reason, until };
}

/** A paused repository starts nothing until someone resumes it. */
function pauseBan(pause: RepoPause | undefined): StartBan | undefined {
  return pause && { code: "paused", reason: wordRepoPause(pause), until: undefined };
}

function budgetBan(snapshot: SchedulerSnapshot): StartBan | undefined {
  const { now, context, limits } = snapshot;
  return dayBudgetBan({
    now,
    repo: context.repo,
    runs: costlyRuns(snapshot),
    overall: limits.budget.perDay,
    repository: context.config.budget.perDay,
  });
}

function costlyRuns({ recent, running }: SchedulerSnapshot) {
  const underWay = running.map((run) => ({
    ...run,
    repo: repoOf(run.task),
    startedAt: run.startedAt ?? run.queuedAt,
  }));
  return [...recent, ...underWay];
}

const DAY_MS = 24 * 60 * 60 * 1000;

interface DaySpending {
  readonly now: Instant;
  readonly repo: RepoName;
  /** These runs of any repository ended today or are under way. */
  readonly runs: readonly (CostlyRun & { readonly repo: RepoName })[];
  readonly overall: Budget;
  readonly repository: Budget;
}

/** Says why nothing more starts today, if a budget of the day is spent. */
function dayBudgetBan(spending: DaySpending): StartBan | undefined {
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

/** Days begin at 00:00 UTC, so they are the same on every host. */
function startOfDay(now: Instant): Instant {
  return instant(now - (now % DAY_MS));
}
