import { instant } from "../../../domain/ids.ts";
import type { Instant } from "../../../domain/ids.ts";
import type { HeldBack, WriteKind } from "../../../ports/api-budget.ts";
import type { Clock } from "../../../ports/clock.ts";
import { AppError } from "../../../shared/app-error.ts";
import { formatTimeOfDay } from "../../../shared/format.ts";
import { decideWhen, NOTHING_SPENT, recall, spend, withinHour } from "./decide-when.ts";
import type { Limits, Spent } from "./decide-when.ts";
import type { AskedPause } from "./github-failure.ts";
import { usually } from "./kind-of-write.ts";
import type { Api, Weighed } from "./kind-of-write.ts";
import { decideExpected, decideTurn, WORTH } from "./turn-order.ts";
import type { Queue, Waiting } from "./turn-order.ts";

/** A request that would wait longer than this is refused. Its lane tries again later and says what it waits for. */
const MAX_WAIT_MS = 10_000;
/** A kind of write that was refused and was not tried again for this long is taken to be no longer wanted. */
const FORGET_REFUSAL_AFTER_MS = 30_000;
/** A pull request and a landing may wait longer, because nothing else waits behind them. */
const MAX_WAIT_OF_LANDINGS_MS = 60_000;

interface Turn extends Waiting {
  readonly go: () => void;
  readonly refuse: (error: AppError) => void;
}

/** Keeps the requests of one installation within GitHub's limits, whichever part of the app makes them. */
export class RequestPace {
  readonly #clock: Clock;
  readonly #limits: Limits;
  #spent: Spent = NOTHING_SPENT;
  #waiting: readonly Turn[] = [];
  /** It holds for each kind of request since when it has been refused, and when it was refused last. */
  readonly #refused = new Map<Weighed["kind"], { readonly since: number; readonly at: number }>();
  #underWay = 0;
  #cancelTimer = (): void => undefined;

  constructor(clock: Clock, limits: Limits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  async send<T>(request: Weighed, work: () => Promise<T>): Promise<T> {
    await this.#turn(request);
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
      this.#letGo();
    }
  }

  /** GitHub asked for a pause. Waiting requests for which the pause is too long are refused. */
  pause(api: Api, { ms, of }: AskedPause): void {
    const now = this.#clock.now();
    const { pausedUntil } = this.#spent;
    const until = (one: Api): number =>
      of === "all" || one === api ? Math.max(pausedUntil[one], now + ms) : pausedUntil[one];
    this.#spent = {
      ...this.#spent,
      pausedUntil: { rest: until("rest"), graphql: until("graphql") },
    };
    const queue = this.#queue();
    const { waiting, spent, limits } = queue;
    const isRefused = ({ request }: Turn): boolean =>
      isTooLate(request, { ...queue, at: decideWhen(request, spent, limits) });
    this.#waiting = waiting.filter((turn) => !isRefused(turn));
    for (const turn of waiting.filter(isRefused)) turn.refuse(refusal(turn, this.#queue()));
    this.#letGo();
  }

  /** Says when a write of this kind could go if it came now. */
  nextAt(kind: WriteKind): Instant {
    const queue = this.#queue();
    const since = this.#askedSince(kind, queue.now);
    return instant(decideExpected({ request: usually(kind), since }, queue));
  }

  waiting(): readonly HeldBack[] {
    return WORTH.filter((kind) => kind !== "read").flatMap((kind) => {
      const since = this.#waiting.flatMap((turn) => (turn.request.kind === kind ? turn.since : []));
      const oldestAt = instant(Math.min(...since));
      return since.length === 0 ? [] : { kind, count: since.length, oldestAt };
    });
  }

  /** Says until when GitHub asked for a pause. It is undefined when there is no pause or it is over. */
  askedUntil(): Instant | undefined {
    const { spent, now } = this.#queue();
    const until = Math.max(spent.pausedUntil.rest, spent.pausedUntil.graphql);
    return until > now ? instant(until) : undefined;
  }

  contentWithinHour(): number {
    return withinHour(this.#spent.content, this.#clock.now());
  }

  #turn(request: Weighed): Promise<void> {
    const queue = this.#queue();
    const since = this.#askedSince(request.kind, queue.now);
    const at = decideExpected({ request, since }, queue);
    if (isTooLate(request, { ...queue, at })) {
      this.#refused.set(request.kind, { since, at: queue.now });
      throw refusal({ request, since }, queue);
    }
    return new Promise((go, refuse) => {
      this.#waiting = [...this.#waiting, { request, since, go, refuse }];
      this.#letGo();
    });
  }

  /** A kind of write that was refused counts as waiting since then. Otherwise a kind that others always overtake would never go. */
  #askedSince(kind: Weighed["kind"], now: number): number {
    const last = this.#refused.get(kind);
    return last === undefined || now - last.at > FORGET_REFUSAL_AFTER_MS ? now : last.since;
  }

  /** Lets every request go whose turn it is, and sets a timer for the next one. */
  #letGo(): void {
    this.#cancelTimer();
    while (this.#underWay < this.#limits.atOnce) {
      const queue = this.#queue();
      const turn = decideTurn(queue);
      if (turn === undefined) return;
      if (turn.at > queue.now) {
        this.#cancelTimer = this.#clock.after(turn.at - queue.now, () => this.#letGo());
        return;
      }
      this.#waiting = this.#waiting.filter((one) => one !== turn.next);
      this.#spent = spend(queue.spent, { ...turn.next.request, at: queue.now }, this.#limits);
      this.#refused.delete(turn.next.request.kind);
      this.#underWay += 1;
      turn.next.go();
    }
  }

  #queue(): Queue<Turn> {
    const now = this.#clock.now();
    const limits = this.#limits;
    return { waiting: this.#waiting, spent: recall(this.#spent, now, limits), limits, now };
  }
}

/** Says whether a request that could go at the moment `at` would have to wait too long, so that it is refused. */
function isTooLate(
  { api, kind }: Weighed,
  { at, now, spent }: Pick<Queue, "now" | "spent"> & { readonly at: number },
): boolean {
  if (spent.pausedUntil[api] - now > MAX_WAIT_MS) return true;
  const isWorthy = kind === "landing" || kind === "pull-request";
  return at - now > (isWorthy ? MAX_WAIT_OF_LANDINGS_MS : MAX_WAIT_MS);
}

function refusal(asked: Waiting, queue: Queue): AppError {
  const { request } = asked;
  const until = queue.spent.pausedUntil[request.api];
  const pauseMs = until - queue.now;
  if (pauseMs > MAX_WAIT_MS) {
    return heldBack(`waits until ${formatTimeOfDay(until)}, as GitHub asked`, pauseMs);
  }
  const at = decideExpected(asked, queue);
  return heldBack(`waits for the budget of writes until ${formatTimeOfDay(at)}`);
}

function heldBack(reason: string, retryAfterMs?: number): AppError {
  return new AppError("github-rate-limited", reason, { retryable: true, retryAfterMs });
}
