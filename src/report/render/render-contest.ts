import type { Evaluation } from "../../domain/explore/evaluations.ts";
import { evaluationRef } from "../../domain/exploration.ts";
import type { Exploration } from "../../domain/exploration.ts";
import { wordFate } from "../../domain/explore/words.ts";
import type { Task } from "../../domain/task.ts";
import { codeSpan, escapeMarkdown } from "./escape-markdown.ts";
import { mostTelling } from "./render-explore-table.ts";
import { countOf } from "./render-outcome.ts";

interface ContestView {
  readonly task: Pick<Task, "issue">;
  readonly exploration: Exploration;
  /** The text is of the one that was taken. */
  readonly isOwn: boolean;
}

/** Lists the contenders, at most so many of them: where the work of each is and how it ended. */
export function renderContest(
  view: ContestView,
  evaluations: readonly Evaluation[],
  most: number,
): string {
  const shown = mostTelling(view.exploration, evaluations, most);
  const rest = evaluations.length - shown.length;
  const lines = [
    ...shown.map((one) => `- Contender ${one.number}${placeOf(one, view)}: ${endOf(one, view)}`),
    ...(rest === 0 ? [] : [`- ${countOf(rest, "contender")} more`]),
  ];
  return `**Contenders**\n\n${lines.join("\n")}`;
}

function placeOf(
  { number, depth, state }: Evaluation,
  { task, exploration, isOwn }: ContestView,
): string {
  const { attempt, end } = exploration;
  if (end?.winner === number) return isOwn ? ", this one" : ", the winner";
  if (state !== "succeeded" && state !== "failed") return "";
  return `, kept as ${codeSpan(evaluationRef(task, { depth, attempt, number }))}`;
}

function endOf(one: Evaluation, { exploration }: ContestView): string {
  if (one.state !== "succeeded")
    return escapeMarkdown(wordFate(one, exploration).replace(/^failed: /, ""));
  const score = one.score === undefined ? "" : `, score ${one.score}`;
  return `changed ${countOf(one.files ?? 0, "file")}${score}`;
}
