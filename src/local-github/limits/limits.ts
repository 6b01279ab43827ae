/** What GitHub allows one installation, or one person's token. BEHAVIOURS.md says which of it is documented. */
export interface Limits {
  readonly restPerHour: number;
  /** By the formula of queries' costs, see `graphql/cost.ts`. */
  readonly graphqlPointsPerHour: number;
  /** For each route: a read is 1, a write 5. */
  readonly restPointsPerMinute: number;
  /** A query is 1, a mutation 5. */
  readonly graphqlPointsPerMinute: number;
  /** See `content.ts`. */
  readonly contentPerMinute: number;
  readonly contentPerHour: number;
  /** REST and GraphQL together. */
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

/** More than anyone asks, and still an integer to GraphQL. */
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

/** GitHub's own where nothing else is said. */
export type WantedLimits = Partial<Limits> | "none";

export function limitsFrom(wanted: WantedLimits): Limits {
  return wanted === "none" ? NO_LIMITS : { ...GITHUB_LIMITS, ...wanted };
}
