import { renderTable } from "../text/table.ts";
import { renderTimeline } from "../text/timeline.ts";
import type { Span, TaskResult, TryResult } from "./result.ts";

/** What ran when, a line a task: runs first, verification on the way to the base branch after them. */
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
