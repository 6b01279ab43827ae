import { evaluationsOf } from "../../domain/explore/evaluations.ts";
import type { Evaluation } from "../../domain/explore/evaluations.ts";
import { wordFate } from "../../domain/explore/words.ts";
import type { Exploration } from "../../domain/exploration.ts";
import type { Run } from "../../domain/run.ts";
import { cutText, printable } from "../text/terminal-text.ts";
import { wordEvaluation } from "./event-lines.ts";

/** Draws what was tried, each evaluation below the commit that it began from. */
export function renderExploreTree(
  exploration: Exploration,
  runs: readonly Run[],
  width: number,
): string {
  const evaluations = evaluationsOf(exploration, runs);
  const { base, plan } = exploration;
  const score = plan.baseScore === undefined ? "" : `: ${plan.baseScore}`;
  const root = `base ${base.slice(0, 7)}${score}`;
  const below = branches({ evaluations, exploration }, 0, "");
  return [root, ...below].map((line) => cutText(line, width)).join("\n");
}

interface Tried {
  readonly evaluations: readonly Evaluation[];
  readonly exploration: Exploration;
}

function branches(tried: Tried, parent: number, indent: string): readonly string[] {
  const own = tried.evaluations.filter((one) => one.parent === parent);
  return own.flatMap((one, at) => {
    const isLast = at === own.length - 1;
    const line = `${indent}${isLast ? "└" : "├"}─ ${describe(one, tried.exploration)}`;
    return [line, ...branches(tried, one.number, `${indent}${isLast ? " " : "│"}  `)];
  });
}

function describe(one: Evaluation, exploration: Exploration): string {
  const { score, runs } = one;
  const parts = [
    ...(score === undefined ? [] : [score]),
    wordFate(one, exploration),
    ...(runs.length > 1 ? [`${runs.length} attempts`] : []),
  ];
  return printable(`${wordEvaluation(one)}: ${parts.join(", ")}`);
}
