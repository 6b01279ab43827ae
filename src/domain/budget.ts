import type { Instant } from "./ids.ts";
import type { Usage } from "./run.ts";

const MINUTE_MS = 60_000;

/** So much may be spent; there is no limit where it is undefined. */
export interface Budget {
  readonly tokens?: number | undefined;
  readonly usd?: number | undefined;
  readonly minutes?: number | undefined;
}

export interface Spent {
  readonly tokens: number;
  readonly usd: number;
  readonly minutes: number;
}

/** These parts of a run say what it costs; one without an end is under way. */
export interface CostlyRun {
  readonly startedAt: Instant | undefined;
  readonly finishedAt: Instant | undefined;
  readonly usage: Usage | undefined;
}

/** Tokens and money count when a run tells them, at its end; only its time between `from` and `now` counts. */
export function spentBy(
  runs: readonly CostlyRun[],
  window: { readonly from: number; readonly now: number },
): Spent {
  const counted = runs.filter(({ finishedAt }) => (finishedAt ?? window.now) >= window.from);
  const sum = (costOf: (run: CostlyRun) => number): number =>
    counted.reduce((total, run) => total + costOf(run), 0);
  return {
    tokens: sum(({ usage }) => (usage === undefined ? 0 : usage.inputTokens + usage.outputTokens)),
    usd: sum(({ usage }) => usage?.costUsd ?? 0),
    minutes: sum((run) => timeWithin(run, window)) / MINUTE_MS,
  };
}

function timeWithin(
  { startedAt, finishedAt }: CostlyRun,
  { from, now }: { readonly from: number; readonly now: number },
): number {
  if (startedAt === undefined) return 0;
  return Math.max(0, (finishedAt ?? now) - Math.max(startedAt, from));
}

/** Names the first part of the budget that is used up: `$20`, `2,000,000 tokens`, `90 minutes`. */
export function usedUp(budget: Budget, spent: Spent): string | undefined {
  const { tokens, usd, minutes } = budget;
  if (usd !== undefined && spent.usd >= usd) return `$${usd}`;
  if (tokens !== undefined && spent.tokens >= tokens) return `${grouped(tokens)} tokens`;
  if (minutes !== undefined && spent.minutes >= minutes) {
    return `${grouped(minutes)} ${minutes === 1 ? "minute" : "minutes"}`;
  }
  return undefined;
}

/** Returns the time that is left, in milliseconds. */
export function timeLeftMs({ minutes }: Budget, spent: Spent): number {
  return minutes === undefined ? Infinity : Math.max(0, (minutes - spent.minutes) * MINUTE_MS);
}

/** Takes the smaller limit of each kind. */
export function tighter(one: Budget, other: Budget): Budget {
  return {
    tokens: smaller(one.tokens, other.tokens),
    usd: smaller(one.usd, other.usd),
    minutes: smaller(one.minutes, other.minutes),
  };
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}

function grouped(count: number): string {
  return String(count).replace(/^\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ","));
}
