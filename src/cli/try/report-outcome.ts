import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { WHEREABOUTS } from "../../domain/story/reason-of.ts";
import { failureLines } from "../text/failure-lines.ts";
import { renderTable } from "../text/table.ts";
import type { Column } from "../text/table.ts";
import { printable, textWidth } from "../text/terminal-text.ts";
import { clockText, renderTimeline, secondsText } from "../text/timeline.ts";
import { renderBaseFailure } from "../trial/render-base-failure.ts";
import type { Span } from "../trial/spans.ts";
import { addUp, wordSpent } from "../trial/spent.ts";
import { UNVERIFIED } from "../trial/start-lines.ts";
import type { TryOptions } from "./input/options.ts";
import type { TryOutcome } from "./outcome.ts";
import { hasFailedRun } from "./result.ts";
import type { TaskResult, TryResult } from "./result.ts";

/** Prints how it went, and takes away what nobody needs any more. */
export async function reportOutcome(outcome: TryOutcome, options: TryOptions): Promise<void> {
  if (options.json) console.log(JSON.stringify(outcome.result, null, 2));
  if (outcome.base !== undefined) {
    console.error(renderBaseFailure(outcome.base));
    await rm(join(outcome.folder, "github"), { recursive: true, force: true });
    return;
  }
  if (options.json) return;
  const width = process.stdout.columns || 100;
  const { result, spans, startedAt } = outcome;
  const timeline = renderRunTimeline(spans, startedAt, width);
  const parts = [
    timeline,
    renderResultTable(result.tasks, width),
    renderReasons(result.tasks),
    result.tasks.flatMap(whyNotLanded).join("\n"),
    renderTotals(result),
    ...(options.verify === undefined ? [UNVERIFIED] : []),
    ...(outcome.end === "interrupted" ? [renderInterrupted(outcome, options)] : []),
    await renderGoingOn(outcome, options),
  ];
  console.log(`\n${parts.filter((part) => part !== "").join("\n\n")}`);
}

/** Says what became of what was under way, and how to go on. */
export function renderInterrupted(
  { result, branch }: Pick<TryOutcome, "result" | "branch">,
  { repo, keep }: Pick<TryOptions, "repo" | "keep">,
): string {
  const of = (...states: readonly TaskResult["state"][]): readonly string[] =>
    result.tasks.filter(({ state }) => states.includes(state)).map(({ id }) => id);
  const running = of("running");
  const landed = of("landed").length;
  const isLost = repo === undefined && !keep;
  const left = result.tasks.length - landed;
  const parts = [
    "Interrupted: the states above are those of that moment, and nothing goes on.",
    ...(running.length === 0 ? [] : [`What was running has been ended: ${running.join(", ")}.`]),
    landed === 0 || isLost
      ? "Begin again with the same command."
      : `To go on, pull what has landed on ${branch} and try again with the ${left} left in the task file.`,
  ];
  return parts.join(" ");
}

/** The sample's result is thrown away unless someone may still want it. */
async function renderGoingOn(outcome: TryOutcome, options: TryOptions): Promise<string> {
  const { folder, result, branch } = outcome;
  const next =
    "Next: wavetrain try --stay keeps such a board to play with; wavetrain setup puts it on your GitHub (docs/setup.md)";
  const isWanted = options.keep || result.tasks.some(hasFailedRun);
  if (options.repo === undefined && !isWanted) {
    await rm(folder, { recursive: true, force: true });
    return options.stay ? "" : next;
  }
  const kept = options.keep ? [`Kept: ${folder} (${(await readdir(folder)).join(", ")})`] : [];
  const hasLanded = result.tasks.some(({ state }) => state === "landed");
  const pull = hasLanded ? [`The result: git pull ${result.repo} ${branch}`] : [];
  return [...kept, ...pull, ...(options.stay ? [] : [next])].join("\n");
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

interface ResultColumn extends Column {
  readonly cell: (task: TaskResult) => string;
  /** In a narrow window columns are left out, the highest number first. */
  readonly luxury: number;
  /** It is shown only if a task has something to say there. */
  readonly optional?: boolean;
}

const NOTHING = "–";

const COLUMNS: readonly ResultColumn[] = [
  { title: "task", luxury: 0, cell: ({ id }) => id },
  { title: "state", luxury: 0, cell: ({ whereabouts }) => WHEREABOUTS[whereabouts].label },
  { title: "wave", align: "right", luxury: 6, cell: ({ wave }) => String(wave ?? NOTHING) },
  { title: "attempts", align: "right", luxury: 5, cell: ({ attempts }) => String(attempts) },
  { title: "agent", align: "right", luxury: 1, cell: ({ agentMs }) => timeCell(agentMs) },
  { title: "verify", align: "right", luxury: 2, cell: ({ verifyMs }) => timeCell(verifyMs) },
  { title: "tokens", align: "right", luxury: 4, optional: true, cell: tokenCell },
  { title: "cost", align: "right", luxury: 1, optional: true, cell: costCell },
  {
    title: "pull",
    align: "right",
    luxury: 3,
    cell: ({ pr }) => (pr === null ? NOTHING : `#${pr}`),
  },
  { title: "commit", luxury: 7, cell: ({ landedSha }) => landedSha?.slice(0, 7) ?? NOTHING },
];

function timeCell(ms: number): string {
  if (ms === 0) return NOTHING;
  return ms < 60_000 ? secondsText(ms) : clockText(ms);
}

function tokenCell({ usage }: TaskResult): string {
  if (usage === null) return NOTHING;
  return (usage.inputTokens + usage.outputTokens).toLocaleString("en");
}

function costCell({ usage }: TaskResult): string {
  return usage?.costUsd === null || usage === null ? NOTHING : `$${usage.costUsd.toFixed(2)}`;
}

export function renderResultTable(tasks: readonly TaskResult[], width: number): string {
  let columns = COLUMNS.filter(
    ({ cell, optional }) => optional !== true || tasks.some((task) => cell(task) !== NOTHING),
  );
  const lineWidth = (): number =>
    columns
      .map(({ title, cell }) => Math.max(...[title, ...tasks.map(cell)].map(textWidth)))
      .reduce((sum, wide) => sum + wide + 2, 0);
  while (lineWidth() > width + 2 && columns.some(({ luxury }) => luxury > 0)) {
    const most = Math.max(...columns.map(({ luxury }) => luxury));
    columns = columns.filter(({ luxury }) => luxury < most);
  }
  const rows = tasks.map((task) => columns.map(({ cell }) => cell(task)));
  return renderTable(columns, rows, width);
}

/** Says why what did not land did not. */
export function renderReasons(tasks: readonly TaskResult[]): string {
  return tasks
    .filter(({ state }) => state !== "landed")
    .map(
      ({ id, whereabouts, reason }) =>
        `${printable(id)}: ${WHEREABOUTS[whereabouts].label}: ${printable(reason)}`,
    )
    .join("\n");
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
  const perTask = landed === 0 ? NOTHING : (calls / landed).toFixed(1);
  const speedUp = `${result.speedUp.toFixed(1)}× of the ${result.speedUpAllowed.toFixed(1)}× that the plan allows`;
  return [
    `${landed} of ${result.tasks.length} landed in ${secondsText(result.wallTimeMs)}; one after the other it would have taken ${secondsText(result.serialTimeMs)} (${speedUp}, ${result.maxParallel} at once)`,
    `${calls} API calls (${rest} REST, ${graphql} GraphQL, ${writes} of them writes): ${perTask} for each landed task`,
    ...spent(result.tasks),
  ].join("\n");
}

function spent(tasks: readonly TaskResult[]): readonly string[] {
  const all = addUp(tasks.flatMap(({ usage }) => usage ?? []));
  return all === null ? [] : [wordSpent(all)];
}
