import { SECONDARY_WORDS } from "../limits/limit-passed.ts";
import type { World } from "../model/world.ts";
import { seededRandom } from "./seeded-random.ts";

export interface RequestFacts {
  readonly method: string;
  readonly path: string;
  /** This is the route's template, `/graphql`, or git's: `/{owner}/{repo}.git/git-receive-pack`. */
  readonly route: string;
  readonly body: unknown;
}

export interface AnswerFault {
  readonly matches: (request: RequestFacts) => boolean;
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** With `after` the request takes effect, and the answer is lost. */
  readonly when?: "before" | "after";
  readonly times?: number;
}

/** Says how webhooks fare on their way; each decision comes from the seed, so a run can be repeated. */
export interface WebhookFaults {
  /** This is the share of webhooks that get lost, from 0 to 1. */
  lose: number;
  /** Each webhook is sent this many times. */
  copies: number;
  delayMs: number;
  /** A receiver may take this long to answer: GitHub's ten seconds. */
  timeoutMs: number;
  /** Deliveries wait until this many are there and leave in random order; 1 keeps the order. */
  shuffle: number;
}

/** Says how many milliseconds an answer takes besides its work, without holding others up. GitHub's take about 150, 300 and 150. */
export interface Latency {
  rest: number;
  graphql: number;
  git: number;
}

const AT_ONCE: Latency = { rest: 0, graphql: 0, git: 0 };
const GOOD_POST: WebhookFaults = { lose: 0, copies: 1, delayMs: 0, timeoutMs: 10_000, shuffle: 1 };

interface ArmedFault extends AnswerFault {
  left: number;
}

/** Makes things go wrong on request. All is well until a knob is turned. */
export class Faults {
  readonly latency: Latency;
  /** When true, organization boards answer null without an error, as when the App lacks the permission. */
  nullBoard = false;
  /** When true, the list of a project's items has no `ETag`, so that no answer is 304. */
  unversionedItems = false;
  /** A query that could answer more nodes than this ends with partial data and `RESOURCE_LIMITS_EXCEEDED`. */
  heaviestQuery = Infinity;
  /** This many reads of pull requests answer `mergeable: null`. */
  unknownMergeableReads = 0;
  /** This many reads of pull requests and refs answer what the same read answered before. */
  staleReads = 0;
  tokenLifetimeMs = 60 * 60 * 1000;
  readonly webhooks: WebhookFaults = { ...GOOD_POST };
  random: () => number = seededRandom(1);
  readonly #armed: ArmedFault[] = [];
  readonly #usualLatency: Latency;

  constructor(latency: Partial<Latency> = {}) {
    this.#usualLatency = { ...AT_ONCE, ...latency };
    this.latency = { ...this.#usualLatency };
  }

  /** Starts the random numbers for all that follows from this seed. */
  seed(seed: number): void {
    this.random = seededRandom(seed);
  }

  /** Answers matching requests with this instead, `times` times (once when not said). */
  answer(fault: AnswerFault): void {
    this.#armed.push({ ...fault, left: fault.times ?? 1 });
  }

  /** Answers with the secondary rate limit of the API: 403 with `retry-after`. */
  secondaryLimit(limit: {
    readonly retryAfterSeconds: number;
    readonly times?: number;
    readonly matches?: AnswerFault["matches"];
  }): void {
    this.answer({
      matches: limit.matches ?? (({ route }) => !route.includes(".git/")),
      status: 403,
      message: SECONDARY_WORDS,
      headers: { "retry-after": String(limit.retryAfterSeconds) },
      times: limit.times ?? 1,
    });
  }

  /** Uses up one armed fault for this request, if there is one. */
  take(request: RequestFacts, when: "before" | "after"): AnswerFault | undefined {
    const fault = this.#armed.find(
      (armed) => armed.left > 0 && (armed.when ?? "before") === when && armed.matches(request),
    );
    if (fault !== undefined) fault.left -= 1;
    return fault;
  }

  takeUnknownMergeable(): boolean {
    if (this.unknownMergeableReads <= 0) return false;
    this.unknownMergeableReads -= 1;
    return true;
  }

  takeStaleRead(): boolean {
    if (this.staleReads <= 0) return false;
    this.staleReads -= 1;
    return true;
  }

  /** Makes every installation token be refused from now on. */
  expireTokens(world: World): void {
    for (const token of world.tokens.values()) token.expiresAt = 0;
  }

  /** Gives this many of the next landings the tree of one on the commit before the base: the last landing is taken back. */
  takeBackLandings(world: World, times: number): void {
    world.wrongLandings = times;
  }

  /** Makes everything work again. */
  clear(): void {
    Object.assign(this.latency, this.#usualLatency);
    this.nullBoard = false;
    this.unversionedItems = false;
    this.heaviestQuery = Infinity;
    this.unknownMergeableReads = 0;
    this.staleReads = 0;
    Object.assign(this.webhooks, GOOD_POST);
    this.#armed.length = 0;
  }
}
