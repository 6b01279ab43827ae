import type { Api, Weighed } from "./kind-of-write.ts";

/** What GitHub allows each installation. */
export interface Limits {
  /** As many writes may go at once after a rest, then one in each interval. */
  readonly burst: number;
  /** Of those, how many are never spent on cards and comments: what lands finds room at once. */
  readonly keptForWork: number;
  readonly everyMs: number;
  readonly contentPerMinute: number;
  readonly contentPerHour: number;
  /** Of those, how many are never spent on comments: work goes on when there is nothing left to talk with. */
  readonly keptFromComments: number;
  readonly pointsPerMinute: Readonly<Record<Api, number>>;
  /** Requests under way; GitHub allows 100, and other programs may speak for the installation too. */
  readonly atOnce: number;
  /** No pause that GitHub asks for is longer. */
  readonly longestPauseMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A request arrives a little after it went, one sooner than the other. */
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

/** For a GitHub that limits nothing: everything goes at once, and is only counted. */
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

/** What an installation has used of its limits. */
export interface Spent {
  /** When as many writes may go at once again as after a rest. */
  readonly restedAt: number;
  /** When each went, oldest first. */
  readonly content: readonly number[];
  /** A moment for each point, oldest first. */
  readonly points: Readonly<Record<Api, readonly number[]>>;
  /** Until when GitHub asked to be left alone. */
  readonly pausedUntil: Readonly<Record<Api, number>>;
}

export const NOTHING_SPENT: Spent = {
  restedAt: -Infinity,
  content: [],
  points: { rest: [], graphql: [] },
  pausedUntil: { rest: -Infinity, graphql: -Infinity },
};

/** What still counts. What lies ahead of the present is from before the clock was set back. */
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

/** The first moment at which nothing forbids the request; it may have passed. */
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

/** How many of these lie within the last hour. */
export function withinHour(times: readonly number[], now: number): number {
  return times.filter((at) => at > now - HOUR_MS).length;
}

/** When no more than `most` of these lie within the window. */
function roomAt(times: readonly number[], most: number, windowMs: number): number {
  const hindrance = times.at(-most - 1);
  return hindrance === undefined ? -Infinity : hindrance + windowMs + JITTER_MS;
}

function pointsOf({ kind }: Weighed): number {
  return kind === "read" ? 1 : 5;
}
