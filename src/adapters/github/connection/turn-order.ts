import { decideWhen, spend } from "./decide-when.ts";
import type { Limits, Spent } from "./decide-when.ts";
import type { Weighed } from "./kind-of-write.ts";

export interface Waiting {
  readonly request: Weighed;
  readonly since: number;
}

export interface Queue<W extends Waiting = Waiting> {
  readonly waiting: readonly W[];
  readonly spent: Spent;
  readonly limits: Limits;
  readonly now: number;
}

/** The most important kind comes first. Reads never wait for writes, only for limits of GitHub. */
export const WORTH: readonly Weighed["kind"][] = [
  "read",
  "landing",
  "pull-request",
  "check",
  "card",
  "issue",
  "comment",
];

/** A waiting request gains rank. After this time it goes before requests that have just come, and may use writes kept for work. */
const OUTRANKS_AFTER_MS: Readonly<Record<Weighed["kind"], number>> = {
  read: 10_000,
  landing: 3_000,
  "pull-request": 10_000,
  check: 10_000,
  card: 10_000,
  issue: 30_000,
  comment: 60_000,
};

/** Decides which request goes next and when: the most important of those that may go earliest, and among equals the one that came first. */
export function decideTurn<W extends Waiting>({
  waiting,
  spent,
  limits,
  now,
}: Queue<W>): { readonly next: W; readonly at: number } | undefined {
  const each = waiting.map((one) => ({
    one,
    at: Math.max(now, whenOf(one, spent, limits)),
  }));
  const at = Math.min(...each.map((other) => other.at));
  const ready = each.filter((other) => other.at === at).map(({ one }) => one);
  const next = ready.toSorted((a, b) => rankOf(a, at) - rankOf(b, at) || a.since - b.since)[0];
  return next === undefined ? undefined : { next, at };
}

/** Says when a request that comes now would go if no other came after it. */
export function decideExpected(asked: Waiting, queue: Queue): number {
  let { spent, now } = queue;
  let waiting = [...queue.waiting, asked];
  for (;;) {
    const turn = decideTurn({ waiting, spent, limits: queue.limits, now });
    if (turn === undefined || turn.next === asked) return turn?.at ?? now;
    now = turn.at;
    spent = spend(spent, { ...turn.next.request, at: now }, queue.limits);
    waiting = waiting.filter((one) => one !== turn.next);
  }
}

function whenOf({ request, since }: Waiting, spent: Spent, limits: Limits): number {
  const usual = decideWhen(request, spent, limits);
  const impatient = decideWhen(request, spent, { ...limits, keptForWork: 0 });
  return Math.min(usual, Math.max(since + OUTRANKS_AFTER_MS[request.kind], impatient));
}

/**
 * Writes that are no work (cards, comments and the like) rise at most to the rank of work that has just come. If they rose further,
 * they would always go first whenever more is asked for than GitHub allows.
 */
function rankOf({ request: { kind }, since }: Waiting, at: number): number {
  const rank = WORTH.indexOf(kind) * (1 - (at - since) / OUTRANKS_AFTER_MS[kind]);
  return isWork(kind) ? rank : Math.max(0, rank);
}

function isWork(kind: Weighed["kind"]): boolean {
  return kind === "read" || kind === "landing" || kind === "pull-request";
}
