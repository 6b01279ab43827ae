import type { Budget, Limits } from "../model/budget.ts";
import type { RequestCost } from "./cost.ts";
import { CONTENT_WORDS, primaryLimit, SECONDARY_WORDS, secondaryLimit } from "./limit-passed.ts";
import { SlidingWindow } from "./sliding-window.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const GRAPHQL = "/graphql";

export interface Asked {
  /** `payerOf` names it. */
  readonly payer: string;
  /** This is the route's template, or GraphQL's path. */
  readonly endpoint: string;
  readonly cost: RequestCost;
}

interface Tally {
  underWay: number;
  readonly contentMinute: SlidingWindow;
  readonly contentHour: SlidingWindow;
  /** The key is the endpoint. */
  readonly points: Map<string, SlidingWindow>;
}

interface Use {
  readonly window: SlidingWindow;
  readonly amount: number;
  readonly words: string;
}

interface GateSettings {
  readonly now: () => number;
  readonly limits: Limits;
  readonly budget: Budget;
}

/** Counts what everyone asks of the API, and refuses requests that pass GitHub's limits. */
export class Gate {
  readonly #settings: GateSettings;
  readonly #tallies = new Map<string, Tally>();

  constructor(settings: GateSettings) {
    this.#settings = settings;
  }

  /** Counts the work as under way until it is done. A refused request is not counted at all. */
  async pass<T>(asked: Asked, work: () => Promise<T>): Promise<T> {
    const tally = this.#tallyOf(asked.payer);
    this.#admit(asked, tally);
    tally.underWay += 1;
    try {
      return await work();
    } finally {
      tally.underWay -= 1;
    }
  }

  #admit({ payer, endpoint, cost }: Asked, tally: Tally): void {
    const { now, limits, budget } = this.#settings;
    const time = now();
    if (tally.underWay >= limits.concurrent) throw secondaryLimit(SECONDARY_WORDS, MINUTE_MS);
    const { contentMinute, contentHour } = tally;
    const points = this.#pointsOf(tally, endpoint);
    const uses: readonly Use[] = [
      { window: contentHour, amount: cost.content, words: CONTENT_WORDS },
      { window: contentMinute, amount: cost.content, words: CONTENT_WORDS },
      { window: points, amount: cost.points, words: SECONDARY_WORDS },
    ];
    for (const { window, amount, words } of uses) {
      const waitMs = window.waitMs(amount, time);
      if (waitMs > 0) throw secondaryLimit(words, waitMs);
    }
    if (!budget.spend(payer, "core", cost.calls)) {
      throw primaryLimit(payer, budget.look(payer, "core"));
    }
    for (const { window, amount } of uses) window.add(amount, time);
  }

  #tallyOf(payer: string): Tally {
    const { contentPerMinute, contentPerHour } = this.#settings.limits;
    const tally = this.#tallies.get(payer) ?? {
      underWay: 0,
      contentMinute: new SlidingWindow(contentPerMinute, MINUTE_MS),
      contentHour: new SlidingWindow(contentPerHour, HOUR_MS),
      points: new Map(),
    };
    this.#tallies.set(payer, tally);
    return tally;
  }

  #pointsOf({ points }: Tally, endpoint: string): SlidingWindow {
    const { restPointsPerMinute, graphqlPointsPerMinute } = this.#settings.limits;
    const limit = endpoint === GRAPHQL ? graphqlPointsPerMinute : restPointsPerMinute;
    const window = points.get(endpoint) ?? new SlidingWindow(limit, MINUTE_MS);
    points.set(endpoint, window);
    return window;
  }
}
