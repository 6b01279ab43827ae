import type { Limits } from "./limits.ts";

const HOUR_MS = 60 * 60 * 1000;

export type Resource = "core" | "search" | "graphql";

export interface Spending {
  readonly limit: number;
  readonly remaining: number;
  readonly used: number;
  /** Seconds since the epoch. */
  readonly reset: number;
}

interface Hour {
  readonly startMs: number;
  used: number;
}

/** GitHub's primary limits: REST calls and GraphQL points in hours that begin with the first request. */
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

  /** False when there is not enough left; then nothing is spent. */
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
