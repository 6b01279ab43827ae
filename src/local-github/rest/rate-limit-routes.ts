import type { RestCall, Route } from "./route.ts";

const RESOURCES = ["core", "search", "graphql"] as const;

/** Looking at the budget costs nothing. */
export const RATE_LIMIT_ROUTES: readonly Route[] = [
  { for: "anyone", method: "GET", template: "/rate_limit", answer: show },
];

function show(call: RestCall) {
  const spendings = RESOURCES.map(
    (resource) => [resource, call.budget.spend(call.caller, resource, 0)] as const,
  );
  const rate = call.budget.spend(call.caller, "core", 0);
  return { status: 200, body: { resources: Object.fromEntries(spendings), rate } };
}
