import { graphqlErrorsOf, httpFailureOf } from "./github-failure.ts";

/** GitHub's load changes within the day, so a smaller portion is not kept for ever. */
const REMEMBERED_FOR_MS = 60 * 60_000;

/** GitHub answers with these when a query took too long. */
const TIMEOUTS: readonly number[] = [502, 504];

/**
 * It is how much is asked for at once. When GitHub ends a query because it is too heavy, half of it is asked for again, and the smaller
 * portion is remembered for a while.
 */
export class Portion {
  readonly #largest: number;
  readonly #now: () => number;
  #size: number;
  #smallerUntil = -Infinity;

  constructor(largest: number, now: () => number) {
    this.#largest = largest;
    this.#now = now;
    this.#size = largest;
  }

  get size(): number {
    return this.#now() < this.#smallerUntil ? this.#size : this.#largest;
  }

  /** Asks for one portion, and for a smaller one as long as GitHub finds it too heavy. A portion of one is not divided. */
  async ask<T>(work: (size: number) => Promise<T>): Promise<T> {
    for (;;) {
      const { size } = this;
      try {
        return await work(size);
      } catch (error) {
        if (size <= 1 || !isTooHeavy(error)) throw error;
        this.#size = Math.ceil(size / 2);
        this.#smallerUntil = this.#now() + REMEMBERED_FOR_MS;
      }
    }
  }

  /** Asks for all of a list, portion by portion. */
  async askAll<Wanted, T>(
    all: readonly Wanted[],
    work: (part: readonly Wanted[]) => Promise<T>,
  ): Promise<readonly T[]> {
    const answers: T[] = [];
    for (let at = 0; at < all.length;) {
      const { part, answer } = await this.ask(async (size) => {
        const some = all.slice(at, at + size);
        return { part: some, answer: await work(some) };
      });
      answers.push(answer);
      at += part.length;
    }
    return answers;
  }
}

function isTooHeavy(error: unknown): boolean {
  const errors = graphqlErrorsOf(error) ?? [];
  if (errors.some(({ type }) => type === "RESOURCE_LIMITS_EXCEEDED")) return true;
  return TIMEOUTS.includes(httpFailureOf(error)?.status ?? 0);
}
