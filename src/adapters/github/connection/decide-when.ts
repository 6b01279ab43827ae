import type { Api, Weighed } from "./kind-of-write.ts";

/** GitHub allows each installation this much. */
export interface Limits {
  /** After a rest this many writes may go at once, then one in each interval of `everyMs`. */
  readonly burst: number;
  /** This many writes of the burst are never spent on cards, issues and comments, so that a landing never has to wait. */
  readonly keptForWork: number;
  readonly everyMs: number;
  readonly contentPerMinute: number;
  readonly contentPerHour: number;
  /** This many writes of the hour are never spent on comments, so that work goes on when no comment can be made any more. */
  readonly keptFromComments: number;
  readonly pointsPerMinute: Readonly<Record<Api, number>>;
  /** This many requests may be under way. GitHub allows 100, but other programs may use the same installation. */
  readonly atOnce: number;
  /** GitHub never asks for a longer pause. */
  readonly longestPauseMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Requests take different times to arrive, so the windows that we count in are longer than GitHub's by this much. */
const JITTER_MS = 1_000;

export const GITHUB_LIMITS: Limits = {
  burst: 10,
  keptForWork: 5,
  everyMs: 1_000,
  contentPerMinute: 80,
  contentPerHour: 500,
  keptFromComments: 100,
  pointsPerMinute: { rest: 900, graphql: 2_000 },
  atOnce: 50,
  longestPauseMs: HOUR_MS,
};

/** These are for a GitHub that limits nothing: every request goes at once and is only counted. */
export const NO_LIMITS: Limits = {
  burst: 1,
  keptForWork: 0,
  everyMs: 0,
  contentPerMinute: Infinity,
  contentPerHour: Infinity,
  keptFromComments: 0,
  pointsPerMinute: { rest: Infinity, graphql: Infinity },
  atOnce: Infinity,
  longestPauseMs: 0,
};

/** It says what an installation has used of its limits. */
export interface Spent {
  /** From this moment on a whole burst of writes may go at once again. */
  readonly restedAt: number;
  /** It holds the moment of each write of content, oldest first. */
  readonly content: readonly number[];
  /** It holds the moment at which each point was spent, oldest first. */
  readonly points: Readonly<Record<Api, readonly number[]>>;
  /** GitHub asked to be left alone until this moment. */
  readonly pausedUntil: Readonly<Record<Api, number>>;
}

export const NOTHING_SPENT: Spent = {
  restedAt: -Infinity,
  content: [],
  points: { rest: [], graphql: [] },
  pausedUntil: { rest: -Infinity, graphql: -Infinity },
};

/** Keeps what still counts. A moment in the future is dropped or shortened: it dates from before the clock was set back. */
export function recall(spent: Spent, now: number, limits: Limits): Spent {
  const within = (times: readonly number[], windowMs: number) =>
    times.filter((at) => at <= now && at > now - windowMs - JITTER_MS);
  const { restedAt, content, points, pausedUntil } = spent;
  const end = now + limits.longestPauseMs;
  return {
    restedAt: Math.min(restedAt, now + limits.burst * limits.everyMs),
    content: within(content, HOUR_MS),
    points: { rest: within(points.rest, MINUTE_MS), graphql: within(points.graphql, MINUTE_MS) },
    pausedUntil: {
      rest: Math.min(pausedUntil.rest, end),
      graphql: Math.min(pausedUntil.graphql, end),
    },
  };
}

/** Returns the first moment at which nothing forbids the request. That moment may have passed. */
export function decideWhen(request: Weighed, spent: Spent, limits: Limits): number {
  const { api, kind, content } = request;
  const free = [
    spent.pausedUntil[api],
    roomAt(spent.points[api], limits.pointsPerMinute[api] - pointsOf(request), MINUTE_MS),
  ];
  if (kind !== "read") {
    const atOnce = limits.burst - (isTalk(kind) ? limits.keptForWork : 0);
    free.push(spent.restedAt - (atOnce - 1) * limits.everyMs);
  }
  if (content) {
    free.push(roomAt(spent.content, limits.contentPerMinute - 1, MINUTE_MS));
    const kept = kind === "comment" ? limits.keptFromComments : 0;
    free.push(roomAt(spent.content, limits.contentPerHour - kept - 1, HOUR_MS));
  }
  return Math.max(...free);
}

export function spend(
  spent: Spent,
  request: Weighed & { readonly at: number },
  limits: Limits,
): Spent {
  const { api, kind, content, at } = request;
  const paid = Array<number>(pointsOf(request)).fill(at);
  return {
    ...spent,
    points: { ...spent.points, [api]: [...spent.points[api], ...paid] },
    content: content ? [...spent.content, at] : spent.content,
    restedAt: kind === "read" ? spent.restedAt : Math.max(spent.restedAt, at) + limits.everyMs,
  };
}

function isTalk(kind: Weighed["kind"]): boolean {
  return kind === "card" || kind === "issue" || kind === "comment";
}

/** Counts the moments that lie within the last hour. */
export function withinHour(times: readonly number[], now: number): number {
  return times.filter((at) => at > now - HOUR_MS).length;
}

/** Returns the moment from which no more than `limit` of the given moments lie within the window. */
function roomAt(times: readonly number[], limit: number, windowMs: number): number {
  const hindrance = times.at(-limit - 1);
  return hindrance === undefined ? -Infinity : hindrance + windowMs + JITTER_MS;
}

function pointsOf({ kind }: Weighed): number {
  return kind === "read" ? 1 : 5;
}
