import type { OperatorConfig } from "../config/schema.ts";
import type { RunnerLimits } from "./slots.ts";

/** The operator's part in what may start. */
export function limitsFrom(operator: OperatorConfig): RunnerLimits {
  return {
    runners: operator.runners,
    defaultRunner: operator.defaultRunner ?? Object.keys(operator.runners)[0] ?? "",
    overall: operator.slots,
    finishing: operator.finishing,
    shared: operator.store.url !== undefined,
    launchDelayMs: operator.launchDelay,
    fallbackAfterMs: operator.fallbackAfter,
    minFreeMemory: operator.minFreeMemory,
    rest: {
      failures: operator.rest.failures,
      firstMs: operator.rest.first,
      longestMs: operator.rest.longest,
    },
    budget: operator.budget,
  };
}
