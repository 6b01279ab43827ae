import type { Caller } from "../auth/caller.ts";

const LIMIT = 5000;
const WINDOW_MS = 60 * 60 * 1000;

export interface Spending {
  readonly limit: number;
  readonly remaining: number;
  readonly used: number;
  /** Seconds since the epoch. */
  readonly reset: number;
}

/** Counts requests per installation in hours, as the primary rate limit does. It is shown, not enforced. */
export class Budget {
  readonly #used = new Map<string, { start: number; used: number }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  spend(caller: Caller, resource: string, cost: number): Spending {
    const who = caller.kind === "installation" ? caller.token.installation.id : caller.kind;
    const key = `${who}/${resource}`;
    const now = this.#now();
    const present = this.#used.get(key);
    const entry =
      present === undefined || now - present.start >= WINDOW_MS ? { start: now, used: 0 } : present;
    entry.used += cost;
    this.#used.set(key, entry);
    return {
      limit: LIMIT,
      remaining: Math.max(0, LIMIT - entry.used),
      used: entry.used,
      reset: Math.ceil((entry.start + WINDOW_MS) / 1000),
    };
  }
}

export function budgetHeaders(resource: string, spending: Spending): Record<string, string> {
  return {
    "x-ratelimit-limit": String(spending.limit),
    "x-ratelimit-remaining": String(spending.remaining),
    "x-ratelimit-used": String(spending.used),
    "x-ratelimit-reset": String(spending.reset),
    "x-ratelimit-resource": resource,
  };
}
