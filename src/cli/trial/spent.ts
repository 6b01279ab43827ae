import type { Run } from "../../domain/run.ts";

/** It adds up what runners told of their runs. */
export interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** It is null where no runner tells money. */
  readonly costUsd: number | null;
}

/** Adds up what the runs cost; null where their runners tell nothing. */
export function spentBy(runs: readonly Pick<Run, "usage">[]): Spent | null {
  const told = runs.flatMap(({ usage }) => usage ?? []);
  return addUp(told.map((usage) => ({ ...usage, costUsd: usage.costUsd ?? null })));
}

export function addUp(told: readonly Spent[]): Spent | null {
  if (told.length === 0) return null;
  const costs = told.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    inputTokens: total(told.map(({ inputTokens }) => inputTokens)),
    outputTokens: total(told.map(({ outputTokens }) => outputTokens)),
    costUsd: costs.length === 0 ? null : total(costs),
  };
}

/** Writes `1,200 tokens read, 300 written, $0.12, as the runner tells`. */
export function wordSpent({ inputTokens, outputTokens, costUsd }: Spent): string {
  const money = costUsd === null ? "" : `, $${costUsd.toFixed(2)}`;
  return `${inputTokens.toLocaleString("en")} tokens read, ${outputTokens.toLocaleString("en")} written${money}, as the runner tells`;
}

export function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
