/** What a run cost, as far as its runner says. */
export interface Usage {
  /** All that was read, what came from a cache included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** Undefined where the runner does not tell money. */
  readonly costUsd: number | undefined;
}
