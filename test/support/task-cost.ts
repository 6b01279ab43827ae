/**
 * What one task costs that lands alone on a server that has landed one before, at the default settings. `test/e2e/economy.proof.test.ts` holds
 * the app to it, and the table of docs/api-cost.md is worked out from it.
 */
export const TASK_COST = {
  /** Readings of the board with the open pull requests. */
  readings: 2,
  /** Other GraphQL calls, of one point each. */
  queries: 8,
  /** REST calls, all of which make content. */
  rest: 4,
} as const;
