import { instant } from "../../domain/ids.ts";
import type { Instant } from "../../domain/ids.ts";
import type { EndedRun, Run } from "../../domain/run.ts";
import type { RunnerPause } from "../../planner/starts/slot-ledger.ts";
import { backoffMs } from "../../shared/backoff.ts";
import type { BackoffLimits } from "../../shared/backoff.ts";

export interface RestRules extends BackoffLimits {
  /** A runner rests after so many lost runs in a row. */
  readonly failures: number;
}

export interface RunnerPast {
  /** These runs of the runner have ended, in any order. */
  readonly ended: readonly EndedRun[];
  /** These runs of the runner are under way. */
  readonly running: readonly Run[];
  readonly now: Instant;
  readonly rules: RestRules;
  /** It is a digest of the runner as it is configured now. */
  readonly definition?: string | undefined;
  /** Somebody lifted its pause then. */
  readonly liftedAt?: Instant | undefined;
}

export interface CausedPause extends RunnerPause {
  readonly since: Instant;
  /** A provider's limit is nobody's to put right. */
  readonly cause: "login" | "limit" | "lost";
}

/** On `trial` a runner takes one run at a time, until one shows that it works again. */
export interface RunnerHealth {
  readonly pause: CausedPause | undefined;
  readonly trial: boolean;
}

const MINUTE_MS = 60_000;
/** Older trouble says nothing about now. */
const LOST_RUNS_WINDOW_MS = 60 * MINUTE_MS;
/** Asking once a day costs nothing, and a provider that tells a later end may be wrong. */
const MAX_LIMIT_PAUSE_MS = 24 * 60 * MINUTE_MS;
/** A provider that is still at its limit refuses at once. */
const PROVEN_AFTER_MS = 2 * MINUTE_MS;

/** Says whether a runner takes runs now. It looks only at the runner's past, so a restart changes nothing. */
export function runnerHealth(past: RunnerPast): RunnerHealth {
  const runs = past.ended
    .filter((run) => run.kind !== "cancelled" && !run.interrupted && isTelling(run, past))
    .toSorted((a, b) => a.finishedAt - b.finishedAt || a.queuedAt - b.queuedAt || order(a, b));
  const refused = runs.findLast((run) => run.kind === "not-logged-in");
  if (refused !== undefined) {
    const since = refused.finishedAt;
    const pause = { until: undefined, because: NOT_LOGGED_IN, since, cause: "login" } as const;
    return { pause, trial: false };
  }
  const limit = limitTrouble(runs, past);
  const rest = restTrouble(runs, past);
  const later = limit !== undefined && (rest === undefined || limit.until >= rest.until);
  const worst = later ? limit : rest;
  if (worst === undefined) return { pause: undefined, trial: false };
  const { until, because, since, cause } = worst;
  if (until > past.now) return { pause: { until, because, since, cause }, trial: false };
  return { pause: undefined, trial: worst.onTrial && !isProven(until, past) };
}

/** Trouble of another definition of the runner, or of a run that began before somebody lifted the pause, says nothing. */
function isTelling(run: EndedRun, { definition, liftedAt }: RunnerPast): boolean {
  return run.definition === definition && (liftedAt === undefined || run.queuedAt >= liftedAt);
}

const NOT_LOGGED_IN = "it is not logged in";

interface Trouble extends CausedPause {
  readonly until: Instant;
  readonly onTrial: boolean;
}

function limitTrouble(runs: readonly EndedRun[], past: RunnerPast): Trouble | undefined {
  const streak = streakOf(runs, (run) => run.kind === "provider-limited", 1);
  if (streak === undefined) return undefined;
  const { last, rounds, told } = streak;
  const because = "its provider's limit";
  const since = last.finishedAt;
  if (told > last.finishedAt) {
    const until = instant(Math.min(told, last.finishedAt + MAX_LIMIT_PAUSE_MS));
    return { until, because, since, cause: "limit", onTrial: false };
  }
  const until = restEnd(last, rounds, past.rules);
  return { until, because, since, cause: "limit", onTrial: true };
}

function restTrouble(runs: readonly EndedRun[], { now, rules }: RunnerPast): Trouble | undefined {
  const recent = runs.filter((run) => run.finishedAt >= now - LOST_RUNS_WINDOW_MS);
  const streak = streakOf(recent, (run) => run.kind === "lost", rules.failures);
  // If one task is lost again and again, that says more about the task than about the runner.
  if (streak === undefined || streak.count < rules.failures || streak.tasks.size < 2) {
    return undefined;
  }
  const because = `${streak.count} runs in a row were lost`;
  const { last, rounds } = streak;
  const until = restEnd(last, rounds, rules);
  return { until, because, since: last.finishedAt, cause: "lost", onTrial: true };
}

interface Streak {
  readonly last: EndedRun;
  readonly count: number;
  readonly tasks: ReadonlySet<string>;
  /** Runs that were refused together count as one round, so the pause grows only with what was tried since. */
  readonly rounds: number;
  /** Is the latest end that one of them was told. Of runs that were refused together, some may be told none. */
  readonly told: number;
}

/** Finds the bad runs since the last good one. A good run counts only if it began after the trouble. */
function streakOf(
  runs: readonly EndedRun[],
  isBad: (run: EndedRun) => boolean,
  threshold: number,
): Streak | undefined {
  let streak: Streak | undefined;
  for (const run of runs) {
    const isLater = streak === undefined || run.queuedAt >= streak.last.finishedAt;
    if (isBad(run)) streak = extended(streak, run, isLater && (streak?.count ?? 0) >= threshold);
    else if (isLater && run.kind !== "lost" && run.kind !== "provider-limited") streak = undefined;
  }
  return streak;
}

function extended(streak: Streak | undefined, run: EndedRun, isNewRound: boolean): Streak {
  const told = run.until ?? 0;
  if (streak === undefined)
    return { last: run, count: 1, tasks: new Set([run.task]), rounds: 1, told };
  return {
    last: run,
    count: streak.count + 1,
    tasks: new Set([...streak.tasks, run.task]),
    rounds: streak.rounds + (isNewRound ? 1 : 0),
    told: Math.max(streak.told, told),
  };
}

function order(a: EndedRun, b: EndedRun): number {
  return a.id < b.id ? -1 : 1;
}

function restEnd({ finishedAt }: EndedRun, rounds: number, rules: RestRules): Instant {
  return instant(finishedAt + backoffMs(rounds, rules));
}

function isProven(since: Instant, { running, now }: RunnerPast): boolean {
  return running.some(({ queuedAt }) => queuedAt >= since && now - queuedAt >= PROVEN_AFTER_MS);
}
