import { graphqlSpending } from "../graphql/budget.ts";
import type { Spending } from "./budget.ts";
import type { RestCall, Route } from "./route.ts";

const RESOURCES = ["core", "search", "graphql"] as const;

/** Looking at the budget costs nothing. */
export const RATE_LIMIT_ROUTES: readonly Route[] = [
  { for: "anyone", method: "GET", template: "/rate_limit", answer: show },
];

function show(call: RestCall) {
  const spendings = RESOURCES.map((resource) => [resource, spendingOf(call, resource)] as const);
  const rate = call.budget.spend(call.caller, "core", 0);
  return { status: 200, body: { resources: Object.fromEntries(spendings), rate } };
}

function spendingOf({ world, caller, budget }: RestCall, resource: string): Spending {
  return resource === "graphql" && caller.kind === "installation"
    ? graphqlSpending(world, caller.token.installation)
    : budget.spend(caller, resource, 0);
}
