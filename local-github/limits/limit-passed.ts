import { budgetHeaders } from "../model/budget.ts";
import type { Spending } from "../model/budget.ts";
import { Problem } from "../model/problem.ts";

/** Is a refusal whose only reason is how much was asked before. */
export class LimitPassed extends Problem {}

export const SECONDARY_WORDS =
  "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";

export const CONTENT_WORDS =
  "You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.";

export function primaryWords(payer: string): string {
  return `API rate limit exceeded for ${payer}.`;
}

export function secondaryLimit(message: string, waitMs: number): LimitPassed {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new LimitPassed(403, message, { headers: { "retry-after": String(seconds) } });
}

export function primaryLimit(payer: string, spending: Spending): LimitPassed {
  return new LimitPassed(403, primaryWords(payer), { headers: budgetHeaders("core", spending) });
}
