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

/** Each such time of waiting makes a request as worthy as the next kind: a minute makes a comment pass new landings. */
const AGEING_MS = 10_000;

/** Who goes next and when: of those that may go first, the most worthy, and of equals whoever came first. */
export function decideTurn<W extends Waiting>({
  waiting,
  spent,
  limits,
  now,
}: Queue<W>): { readonly next: W; readonly at: number } | undefined {
  const each = waiting.map((one) => ({
    one,
    at: Math.max(now, decideWhen(one.request, spent, limits)),
  }));
  const at = Math.min(...each.map((other) => other.at));
  const ready = each.filter((other) => other.at === at).map(({ one }) => one);
  const next = ready.toSorted((a, b) => rankOf(a, at) - rankOf(b, at) || a.since - b.since)[0];
  return next === undefined ? undefined : { next, at };
}

/** When a request that comes now would go if nobody came after it. */
export function decideExpected(request: Weighed, queue: Queue): number {
  const asked: Waiting = { request, since: queue.now };
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

function rankOf({ request, since }: Waiting, at: number): number {
  return WORTH.indexOf(request.kind) - Math.floor((at - since) / AGEING_MS);
}
