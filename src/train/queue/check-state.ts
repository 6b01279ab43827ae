import type { CheckFact, RequiredCheck } from "../../ports/github.ts";

/** A check that nobody reported is pending: unknown is not success. */
export function stateOfCheck(
  check: RequiredCheck,
  facts: readonly CheckFact[],
): CheckFact["state"] {
  const reports = facts.filter(
    ({ name, app }) => name === check.name && (check.app === undefined || app === check.app),
  );
  if (reports.some(({ state }) => state === "failure")) return "failure";
  const done = reports.length > 0 && reports.every(({ state }) => state === "success");
  return done ? "success" : "pending";
}
