import type { Evaluation } from "../../domain/explore/evaluations.ts";
import type { Exploration } from "../../domain/exploration.ts";
import { compareEvaluations } from "../../domain/explore/next-step.ts";
import { wordFate } from "../../domain/explore/words.ts";
import { formatDuration } from "../../shared/format.ts";
import { escapeMarkdown } from "./escape-markdown.ts";

const MAX_IDEA_LENGTH = 60;
const MAX_FATE_LENGTH = 120;
const HEAD = [
  "| Id | Idea | Parent | Score | Time | Attempts | Cost | Result |",
  "| ---: | --- | ---: | ---: | ---: | ---: | ---: | --- |",
];

/** Lists the evaluations, at most so many of them, and says how many are left out. */
export function renderExploreTable(
  exploration: Exploration,
  evaluations: readonly Evaluation[],
  most: number,
): string {
  if (evaluations.length === 0) return "";
  const shown = mostTelling(exploration, evaluations, most);
  const rows = shown.map((one) => renderRow(one, exploration));
  const table = shown.length === 0 ? [] : [[...HEAD, ...rows].join("\n")];
  return [...table, ...leftOut(shown.length, evaluations.length)].join("\n\n");
}

/** Picks those that were taken, then those at work, then the best; the later levels come first. They stay in the order of their numbers. */
export function mostTelling(
  { end }: Pick<Exploration, "end">,
  evaluations: readonly Evaluation[],
  most: number,
): readonly Evaluation[] {
  if (evaluations.length <= most) return evaluations;
  const rank = (one: Evaluation): number => {
    if (one.number === end?.winner) return 0;
    return one.promoted ? 1 : 2 + STATES.indexOf(one.state);
  };
  const picked = evaluations
    .toSorted((a, b) => rank(a) - rank(b) || b.depth - a.depth || compareEvaluations(a, b))
    .slice(0, most);
  const numbers = new Set(picked.map(({ number }) => number));
  return evaluations.filter(({ number }) => numbers.has(number));
}

const STATES: readonly Evaluation["state"][] = [
  ...(["running", "succeeded", "failed", "queued", "skipped"] as const),
];

function leftOut(shown: number, all: number): readonly string[] {
  if (shown === all) return [];
  const rest = all - shown;
  const which = "first those that were promoted, then those at work, then the best";
  return shown === 0
    ? [`There is no room here for its ${all} evaluations.`]
    : [`${shown} of ${all} evaluations are listed, ${which}; ${rest} are left out.`];
}

function renderRow(one: Evaluation, exploration: Exploration): string {
  const fate = escapeMarkdown(wordFate(one, exploration), MAX_FATE_LENGTH);
  const isTaken = one.promoted || exploration.end?.winner === one.number;
  const cells = [
    one.number,
    escapeMarkdown(one.idea, MAX_IDEA_LENGTH),
    one.parent === 0 ? "base" : one.parent,
    one.score ?? "–",
    timeOf(one),
    one.runs.length,
    costOf(one),
    isTaken ? `**${fate}**` : fate,
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Only runs that have ended count: the table stays as it is while one goes on. */
function timeOf({ runs }: Evaluation): string {
  const times = runs.flatMap(({ startedAt, finishedAt }) =>
    startedAt === undefined || finishedAt === undefined ? [] : [finishedAt - startedAt],
  );
  return times.length === 0 ? "–" : formatDuration(sum(times));
}

/** Runners tell money, or only tokens, or nothing. */
function costOf({ runs }: Evaluation): string {
  const usage = runs.flatMap((run) => run.usage ?? []);
  if (usage.length === 0) return "–";
  const dollars = usage.flatMap(({ costUsd }) => costUsd ?? []);
  // Two dollar signs in a text would begin a formula.
  if (dollars.length > 0) return `${sum(dollars).toFixed(2)} USD`;
  const tokens = sum(usage.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens));
  return `${grouped(tokens)} tokens`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
