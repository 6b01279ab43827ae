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

/** The most worthy first. Reads wait only for GitHub itself. */
export const WORTH: readonly Weighed["kind"][] = [
  "read",
  "landing",
  "pull-request",
  "check",
  "card",
  "issue",
  "comment",
];

/** Waiting makes a request worthier: after so long it goes before whatever has just come, and uses what is kept for work. */
const PATIENCE_MS: Readonly<Record<Weighed["kind"], number>> = {
  ...{ read: 10_000, landing: 3_000, "pull-request": 10_000, check: 10_000, card: 10_000 },
  ...{ issue: 30_000, comment: 60_000 },
};

/** Who goes next and when: of those that may go first, the most worthy, and of equals whoever came first. */
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

/** When a request that comes now would go if nobody came after it. */
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
  return Math.min(usual, Math.max(since + PATIENCE_MS[request.kind], impatient));
}

/** What people only look at is lifted as far as work that has just come, and no further: where more is asked for than GitHub takes, it would go first for ever. */
function rankOf({ request: { kind }, since }: Waiting, at: number): number {
  const rank = WORTH.indexOf(kind) * (1 - (at - since) / PATIENCE_MS[kind]);
  return isWork(kind) ? rank : Math.max(0, rank);
}

function isWork(kind: Weighed["kind"]): boolean {
  return kind === "read" || kind === "landing" || kind === "pull-request";
}
