import { evaluationsOf } from "../../domain/explore/evaluations.ts";
import type { Evaluation } from "../../domain/explore/evaluations.ts";
import { EXPLORE_REFS, evaluationRef } from "../../domain/exploration.ts";
import type { Exploration, ExplorationEnd } from "../../domain/exploration.ts";
import {
  isContest,
  wordBest,
  wordExpected,
  wordLevels,
  wordRebased,
} from "../../domain/explore/words.ts";
import type { RunId } from "../../domain/ids.ts";
import type { Exploring } from "../../domain/story/task-story.ts";
import type { Task } from "../../domain/task.ts";
import { codeSpan, escapeMarkdown } from "./escape-markdown.ts";
import { renderContest } from "./render-contest.ts";
import { renderExploreTable } from "./render-explore-table.ts";
import { renderExploreTree } from "./render-explore-tree.ts";

export interface ExplorationView extends Exploring {
  readonly task: Pick<Task, "issue">;
  /** Where the text is of the change that was taken, this run made it. */
  readonly taken?: RunId;
}

interface Told extends Exploring {
  readonly task: Pick<Task, "issue">;
  readonly evaluations: readonly Evaluation[];
  readonly isOwn: boolean;
}

interface Form {
  readonly drawn: boolean;
  /** At most so many evaluations are listed. */
  readonly rows: number;
}

/** GitHub takes 65,536 characters in a comment and in the text of a pull request; what stands between its parts needs a few of them. */
const MAX_BODY_LENGTH = 65_000;
/** More than this is no summary. */
const MAX_LENGTH = 40_000;
const MAX_NAMED_IDEAS = 20;
const MAX_NAME_LENGTH = 60;

/** The first one that fits is taken. */
const FORMS: readonly Form[] = [
  { drawn: true, rows: 60 },
  { drawn: false, rows: 60 },
  { drawn: false, rows: 15 },
  { drawn: false, rows: 0 },
];

/** Tells what an exploration tried and how far it is; of several contenders it tells how each did. `beside` is in the same text. */
export function renderExploration(view: ExplorationView, beside: readonly string[]): string {
  const told = toldOf(view);
  const others = beside.reduce((sum, { length }) => sum + length + 2, 0);
  const room = Math.min(MAX_LENGTH, MAX_BODY_LENGTH - others);
  for (const form of FORMS) {
    const text = inForm(told, form);
    if (text.length <= room) return text;
  }
  return "";
}

/** Says in one line which evaluation was taken; it is empty where none was. */
export function renderWinner({ exploration, runs }: Exploring): string {
  const winner = winnerOf(exploration.end, evaluationsOf(exploration, runs));
  if (winner === undefined || isContest(exploration)) return "";
  return `Taken from an exploration: evaluation ${winnerText(winner, exploration)}.`;
}

/** The text of a pull request may be written before the end is on record. */
function toldOf({ task, exploration, runs, taken }: ExplorationView): Told {
  const run = runs.find(({ id, rework }) => id === taken && rework === undefined);
  const end = exploration.end ?? (run && { why: "", winner: run.contender });
  const evaluations = evaluationsOf(exploration, runs);
  return {
    task,
    exploration: { ...exploration, end },
    runs,
    evaluations,
    isOwn: taken !== undefined,
  };
}

function inForm(told: Told, { drawn, rows }: Form): string {
  const { exploration, evaluations } = told;
  if (isContest(exploration))
    return joined([renderContest(told, evaluations, rows), rebasedText(told)]);
  const tree = drawn ? renderExploreTree(exploration, evaluations) : "";
  const isLeftOut = tree === "" && evaluations.length > 0;
  return joined([
    "**Exploration**",
    factsOf(told)
      .map((fact) => `- ${fact}`)
      .join("\n"),
    isLeftOut ? "Its picture is left out: it would be too large here." : tree,
    renderExploreTable(exploration, evaluations, rows),
    keptText(told),
  ]);
}

function factsOf(told: Told): readonly string[] {
  const { exploration, runs } = told;
  const { plan, stop, end, levels } = exploration;
  const facts = [
    scoreText(exploration),
    end === undefined ? `Expected: ${wordExpected(plan.expected)}` : "",
    levels.length === 0 ? ideasText(exploration) : "",
    ...wordLevels(exploration, runs).map(capitalized),
    stop === undefined || end !== undefined ? "" : `It ends: ${escapeMarkdown(stop.why)}`,
    end === undefined || end.why === "" ? "" : `It ended: ${escapeMarkdown(end.why)}`,
    end === undefined ? "" : takenText(told, end),
    rebasedText(told),
  ];
  return facts.filter((fact) => fact !== "");
}

function scoreText({ base, plan }: Exploration): string {
  const from = `from ${base.slice(0, 7)}`;
  const { score, baseScore } = plan;
  if (score === undefined)
    return `Begun ${from}; nothing scores it: fewer changed files are better`;
  const own = baseScore === undefined ? "" : `, which scores ${baseScore}`;
  const better = score.best === "low" ? "lower" : "higher";
  return `Begun ${from}${own}; ${better} is better (${codeSpan(score.name)})`;
}

function ideasText({ plan: { ideas } }: Exploration): string {
  const named = ideas.slice(0, MAX_NAMED_IDEAS).map(({ name }) => codeSpan(name, MAX_NAME_LENGTH));
  const rest = ideas.length - named.length;
  return `Ideas: ${named.join(", ")}${rest === 0 ? "" : ` and ${rest} more`}`;
}

function takenText({ exploration, evaluations }: Told, end: ExplorationEnd): string {
  const winner = winnerOf(end, evaluations);
  if (winner === undefined) return "Nothing was taken";
  return `The winner is ${winnerText(winner, exploration)}`;
}

function winnerText(winner: Evaluation, { plan }: Exploration): string {
  const score = winner.score === undefined ? "" : `, score ${wordBest(winner, plan)}`;
  return `${winner.number}${score}: ${codeSpan(winner.idea, MAX_NAME_LENGTH)}`;
}

function winnerOf(
  end: ExplorationEnd | undefined,
  evaluations: readonly Evaluation[],
): Evaluation | undefined {
  return evaluations.find(({ number }) => number === end?.winner);
}

function rebasedText({ exploration: { end }, evaluations }: Told): string {
  if (end?.rebased === undefined) return "";
  const words = wordRebased(end.rebased, winnerOf(end, evaluations)?.score);
  return capitalized(escapeMarkdown(words));
}

/** Names the ref of one, from which those of the others follow. */
function keptText({ task, exploration: { attempt }, evaluations }: Told): string {
  const one = evaluations.find(({ state }) => state === "succeeded" || state === "failed");
  if (one === undefined) return "";
  const { number, depth } = one;
  const ref = codeSpan(evaluationRef(task, { depth, attempt, number }));
  const all = codeSpan(`${EXPLORE_REFS}${task.issue}/<level>/${attempt}.<id>`);
  return `What each of them made is kept in the server's mirror as ${all}, such as ${ref}.`;
}

function capitalized(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
