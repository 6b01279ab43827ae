import { isContentMutation, isContentRoute } from "./content.ts";

/** Says how much one request takes from each of the limits. */
export interface RequestCost {
  /** These count against the hour's REST calls. */
  readonly calls: number;
  /** These count against the minute's points for its endpoint. */
  readonly points: number;
  /** This is how much content it creates. */
  readonly content: number;
}

const READ_POINTS = 1;
const WRITE_POINTS = 5;

const OWN_COSTS: ReadonlyMap<string, RequestCost> = new Map([
  ["POST /app/installations/{installation_id}/access_tokens", { calls: 0, points: 0, content: 0 }],
  ["GET /rate_limit", { calls: 0, points: READ_POINTS, content: 0 }],
]);

export function restCost(method: string, template: string): RequestCost {
  const route = `${method} ${template}`;
  const isRead = ["GET", "HEAD", "OPTIONS"].includes(method);
  const points = isRead ? READ_POINTS : WRITE_POINTS;
  return OWN_COSTS.get(route) ?? { calls: 1, points, content: isContentRoute(route) ? 1 : 0 };
}

/** GitHub counts requests; here the content of a document with many mutations counts as if each had come alone. */
export function graphqlCost(mutations: readonly string[]): RequestCost {
  return {
    calls: 0,
    points: mutations.length > 0 ? WRITE_POINTS : READ_POINTS,
    content: mutations.filter(isContentMutation).length,
  };
}
