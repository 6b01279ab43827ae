/** Lists how much GitHub allows one installation, or one person's token. BEHAVIOURS.md says which of it is documented. */
export interface Limits {
  readonly restPerHour: number;
  /** Points are counted by the formula for the cost of queries, see `graphql/cost.ts`. */
  readonly graphqlPointsPerHour: number;
  /** The limit holds for each route: a read is 1 point, a write 5. */
  readonly restPointsPerMinute: number;
  /** A query is 1 point, a mutation 5. */
  readonly graphqlPointsPerMinute: number;
  /** `limits/content.ts` says what counts as content. */
  readonly contentPerMinute: number;
  readonly contentPerHour: number;
  /** REST and GraphQL requests count together. */
  readonly concurrent: number;
}

export const GITHUB_LIMITS: Limits = {
  restPerHour: 5000,
  graphqlPointsPerHour: 5000,
  restPointsPerMinute: 900,
  graphqlPointsPerMinute: 2000,
  contentPerMinute: 80,
  contentPerHour: 500,
  concurrent: 100,
};

/** This is more than anyone asks, and still an integer to GraphQL. */
const ENOUGH = 1_000_000_000;

const NO_LIMITS: Limits = {
  restPerHour: ENOUGH,
  graphqlPointsPerHour: ENOUGH,
  restPointsPerMinute: ENOUGH,
  graphqlPointsPerMinute: ENOUGH,
  contentPerMinute: ENOUGH,
  contentPerHour: ENOUGH,
  concurrent: ENOUGH,
};

/** GitHub's own limits hold where nothing else is said. */
export type WantedLimits = Partial<Limits> | "none";

export function limitsFrom(wanted: WantedLimits): Limits {
  return wanted === "none" ? NO_LIMITS : { ...GITHUB_LIMITS, ...wanted };
}

const HOUR_MS = 60 * 60 * 1000;

export type Resource = "core" | "search" | "graphql";

export interface Spending {
  readonly limit: number;
  readonly remaining: number;
  readonly used: number;
  /** It is in seconds since the epoch. */
  readonly reset: number;
}

interface Hour {
  readonly startMs: number;
  used: number;
}

/** Keeps GitHub's primary limits: REST calls and GraphQL points in hours that begin with the first request. */
export class Budget {
  readonly #hours = new Map<string, Hour>();
  readonly #now: () => number;
  readonly #limits: Readonly<Record<Resource, number>>;

  constructor(now: () => number, { restPerHour, graphqlPointsPerHour }: Limits) {
    this.#now = now;
    this.#limits = { core: restPerHour, search: restPerHour, graphql: graphqlPointsPerHour };
  }

  look(payer: string, resource: Resource): Spending {
    const { startMs, used } = this.#hourOf(payer, resource);
    const limit = this.#limits[resource];
    return { limit, used, remaining: limit - used, reset: Math.ceil((startMs + HOUR_MS) / 1000) };
  }

  /** Spends the cost; answers false and spends nothing when there is not enough left. */
  spend(payer: string, resource: Resource, cost: number): boolean {
    const hour = this.#hourOf(payer, resource);
    if (hour.used + cost > this.#limits[resource]) return false;
    hour.used += cost;
    return true;
  }

  giveBack(payer: string, resource: Resource, cost: number): void {
    const hour = this.#hourOf(payer, resource);
    hour.used = Math.max(0, hour.used - cost);
  }

  #hourOf(payer: string, resource: Resource): Hour {
    const key = `${payer}/${resource}`;
    const now = this.#now();
    const known = this.#hours.get(key);
    if (known && now < known.startMs + HOUR_MS) return known;
    const fresh = { startMs: now, used: 0 };
    this.#hours.set(key, fresh);
    return fresh;
  }
}

export function budgetHeaders(resource: Resource, spending: Spending): Record<string, string> {
  return {
    "x-ratelimit-limit": String(spending.limit),
    "x-ratelimit-remaining": String(spending.remaining),
    "x-ratelimit-used": String(spending.used),
    "x-ratelimit-reset": String(spending.reset),
    "x-ratelimit-resource": resource,
  };
}
