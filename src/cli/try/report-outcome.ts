import { rm } from "node:fs/promises";
import { failureLines } from "../text/failure-lines.ts";
import { renderTable } from "../text/table.ts";
import { renderTimeline } from "../text/timeline.ts";
import type { TryOptions } from "./input/check-input.ts";
import { hasFailedRun } from "./result.ts";
import type { Span, TaskResult, TryResult } from "./result.ts";
import type { TryOutcome } from "./run-try.ts";

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
  const failures = result.tasks.flatMap(whyNotLanded);
  if (failures.length > 0) console.log(`${failures.join("\n")}\n`);
  console.log(renderTotals(result));
  const isWanted = options.keep || result.tasks.some(hasFailedRun);
  if (options.repo === undefined && !isWanted) {
    await rm(outcome.folder, { recursive: true, force: true });
    return;
  }
  console.log(`\nThe result: git pull ${result.repo} ${outcome.branch}`);
}

/** Draws when each task ran, a line a task: runs first, verification on the way to the base branch after them. */
export function renderRunTimeline(
  spans: readonly (Span & { readonly id: string })[],
  from: number,
  width: number,
): string {
  const bars = spans
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map((span) => ({
      lane: span.id,
      label: span.kind,
      startMs: span.startedAt - from,
      endMs: span.finishedAt - from,
    }));
  return renderTimeline(bars, width);
}

export function renderResultTable(tasks: readonly TaskResult[], width: number): string {
  const columns = [
    { title: "task" },
    { title: "state" },
    { title: "wave", align: "right" as const },
    { title: "attempts", align: "right" as const },
    { title: "pull", align: "right" as const },
    { title: "commit" },
    { title: "" },
  ];
  const rows = tasks.map((task) => [
    task.id,
    task.state,
    String(task.wave ?? "–"),
    String(task.attempts),
    task.pr === null ? "–" : `#${task.pr}`,
    task.landedSha?.slice(0, 7) ?? "–",
    task.state === "landed" ? "" : task.reason,
  ]);
  return renderTable(columns, rows, width);
}

/** Shows what the last run of a task said that did not land. */
export function whyNotLanded(task: TaskResult): readonly string[] {
  const { id, outcome, runner, tail, log } = task;
  if (!hasFailedRun(task)) return [];
  const ended = { runner: runner ?? "", outcome: outcome ?? "" };
  return failureLines({ task: id, ...ended, tail, logPath: log ?? undefined });
}

export function renderTotals(result: TryResult): string {
  const landed = result.tasks.filter((task) => task.state === "landed").length;
  const { rest, graphql, writes } = result.apiCalls;
  const calls = rest + graphql;
  const perTask = landed === 0 ? "–" : (calls / landed).toFixed(1);
  const speedUp = `${result.speedUp.toFixed(1)}× of the ${result.speedUpAllowed.toFixed(1)}× that the plan allows`;
  return [
    `${landed} of ${result.tasks.length} landed in ${seconds(result.wallTimeMs)}; one after the other it would have taken ${seconds(result.serialTimeMs)} (${speedUp}, ${result.maxParallel} at once)`,
    `${calls} API calls (${rest} REST, ${graphql} GraphQL, ${writes} of them writes): ${perTask} for each landed task`,
  ].join("\n");
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
