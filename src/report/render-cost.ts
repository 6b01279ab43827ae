import type { Usage } from "../domain/usage.ts";
import { countOf } from "./render-outcome.ts";

/** What the runs for a task cost together, as a sentence after another; empty where no runner tells. */
export function renderCost(usage: readonly Usage[]): string {
  if (usage.length === 0) return "";
  const dollars = usage.flatMap(({ costUsd }) => costUsd ?? []);
  const costs = [
    // Two dollar signs in a text would begin a formula.
    ...(dollars.length === 0 ? [] : [`${sum(dollars).toFixed(2)} USD`]),
    `${grouped(sum(usage.map(({ inputTokens }) => inputTokens)))} tokens read`,
    `${grouped(sum(usage.map(({ outputTokens }) => outputTokens)))} written`,
  ];
  return ` Cost of ${countOf(usage.length, "run")}: ${costs.join(", ")}.`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
