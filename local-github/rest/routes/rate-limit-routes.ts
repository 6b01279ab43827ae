import { payerOf } from "../../auth/caller.ts";
import type { RestCall, Route } from "../request/route.ts";

const RESOURCES = ["core", "search", "graphql"] as const;

/** Looking at the budget costs nothing. */
export const RATE_LIMIT_ROUTES: readonly Route[] = [
  { for: "anyone", method: "GET", template: "/rate_limit", answer: show },
];

function show({ world, caller }: RestCall) {
  const payer = payerOf(caller);
  const spendings = RESOURCES.map((one) => [one, world.budget.look(payer, one)] as const);
  const rate = world.budget.look(payer, "core");
  return { status: 200, body: { resources: Object.fromEntries(spendings), rate } };
}
