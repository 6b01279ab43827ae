import { instant } from "../../domain/ids.ts";
import type { Allowance, ApiBudget } from "../../ports/api-budget.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Octokit } from "./connection.ts";
import { isWrite } from "./is-write.ts";
import { GITHUB_WRITES, rememberWrite, writesWithinHour } from "./write-budget.ts";

interface Seen {
  rest: Allowance | undefined;
  graphql: Allowance | undefined;
  writes: readonly number[];
}

type Headers = Readonly<Record<string, string | number | undefined>>;

/** Reads from every answer what is left for each installation: asking for it would be a call of its own. */
export class ApiBudgets {
  readonly #clock: Clock;
  readonly #seen = new Map<number, Seen>();
  readonly #watched = new WeakSet<Octokit>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  watch(installation: number, client: Octokit): Octokit {
    if (this.#watched.has(client)) return client;
    this.#watched.add(client);
    const seen = this.#seenOf(installation);
    // Around the request itself: what waits for its turn was not written yet.
    client.hook.wrap("request", async (request, options) => {
      if (isWrite(options)) seen.writes = rememberWrite(seen.writes, this.#clock.now());
      try {
        const answer = await request(options);
        note(seen, answer.headers);
        return answer;
      } catch (error) {
        note(seen, headersOf(error));
        throw error;
      }
    });
    return client;
  }

  all(): readonly ApiBudget[] {
    return [...this.#seen].map(([installation, { rest, graphql, writes }]) => {
      const limit = GITHUB_WRITES.perHour;
      const used = writesWithinHour(writes, this.#clock.now());
      return { installation, rest, graphql, writes: { limit, left: Math.max(0, limit - used) } };
    });
  }

  #seenOf(installation: number): Seen {
    const known = this.#seen.get(installation) ?? {
      rest: undefined,
      graphql: undefined,
      writes: [],
    };
    this.#seen.set(installation, known);
    return known;
  }
}

function note(seen: Seen, headers: Headers): void {
  const allowance = {
    limit: Number(headers["x-ratelimit-limit"]),
    left: Number(headers["x-ratelimit-remaining"]),
    resetsAt: instant(Number(headers["x-ratelimit-reset"]) * 1000),
  };
  if (!Object.values(allowance).every(Number.isFinite)) return;
  if (headers["x-ratelimit-resource"] === "graphql") seen.graphql = allowance;
  if (headers["x-ratelimit-resource"] === "core") seen.rest = allowance;
}

function headersOf(error: unknown): Headers {
  const { response } = error as { readonly response?: { readonly headers?: Headers } };
  return response?.headers ?? {};
}
