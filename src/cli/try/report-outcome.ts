import { rm } from "node:fs/promises";
import { renderResultTable, renderRunTimeline, renderTotals } from "./render-summary.ts";
import type { TryOutcome } from "./run-try.ts";
import type { TryOptions } from "./try-options.ts";

/** Prints how it went; the sample's result is thrown away unless someone may still want it. */
export async function reportOutcome(outcome: TryOutcome, options: TryOptions): Promise<void> {
  const { result, spans, startedAt } = outcome;
  if (options.json) {
    console.log(JSON.stringify(result, null, 2));
    return;
  }
  const width = process.stdout.columns || 100;
  console.log(`\n${renderRunTimeline(spans, startedAt, width)}\n`);
  console.log(`${renderResultTable(result.tasks, width)}\n`);
  console.log(renderTotals(result));
  if (options.repo === undefined && !options.keep) {
    await rm(outcome.folder, { recursive: true, force: true });
    return;
  }
  console.log(`\nThe result: git pull ${result.repo} ${outcome.branch}`);
}
