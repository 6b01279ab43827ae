import { formatDuration } from "../../shared/format.ts";
import { decidePromotion } from "./contenders.ts";
import type { Run } from "../run.ts";
import { evaluationsOf } from "./evaluations.ts";
import type { Evaluation } from "./evaluations.ts";
import type { Exploration, ExplorePlan, ExpectedCost } from "../exploration.ts";
import { compareEvaluations } from "./next-step.ts";

/** People call the runs of `candidates:n` contenders, and those of an exploration evaluations. */
export function isContest({ plan }: Pick<Exploration, "plan">): boolean {
  return plan.depth === 1 && plan.ideas.every(({ text }) => text === "");
}

/** Says how far an exploration is, as part of a sentence. */
export function wordProgress(exploration: Exploration, runs: readonly Run[]): string {
  const evaluations = evaluationsOf(exploration, runs);
  const level = exploration.levels.at(-1);
  const ofLevel = evaluations.filter(({ depth }) => depth === level?.depth);
  const ended = ofLevel.filter(({ state }) => state === "succeeded" || state === "failed").length;
  if (isContest(exploration)) return `${ended} of ${ofLevel.length} contenders have ended`;
  const place = `level ${level?.depth ?? 1} of ${exploration.plan.depth}`;
  const done = `${place}: ${ended} of ${ofLevel.length} evaluations have ended`;
  const best = bestEvaluation(evaluations);
  const score = best?.score === undefined ? "" : `, best ${wordBest(best, exploration.plan)}`;
  return exploration.stop === undefined ? `${done}${score}` : `${exploration.stop.why}; ${done}`;
}

/** Returns the best of all levels so far. */
export function bestEvaluation(evaluations: readonly Evaluation[]): Evaluation | undefined {
  return evaluations
    .filter(({ state }) => state === "succeeded")
    .toSorted(compareEvaluations)
    .at(0);
}

/** Writes `12.5 (base 10)`. */
export function wordBest({ score }: Pick<Evaluation, "score">, { baseScore }: ExplorePlan): string {
  return `${score ?? "not scored"}${baseScore === undefined ? "" : ` (base ${baseScore})`}`;
}

/** Writes `up to 15 evaluations, about 3 h of work and 12.00 USD`. */
export function wordExpected({ evaluations, usd, agentMs }: ExpectedCost): string {
  const most = `up to ${evaluations} ${evaluations === 1 ? "evaluation" : "evaluations"}`;
  const known = [
    ...(agentMs === undefined ? [] : [`${formatDuration(agentMs)} of work`]),
    ...(usd === undefined ? [] : [`${usd.toFixed(2)} USD`]),
  ];
  return known.length === 0 ? most : `${most}, about ${known.join(" and ")}`;
}

export function wordToConfirm({ expected }: Pick<ExplorePlan, "expected">): string {
  return `it would make ${wordExpected(expected)}: say /explore go, or ask for less in its section Explore`;
}

/** Returns the run that is taken: the same one that leads its task. */
export function winningRun(runs: readonly Run[]): Run | undefined {
  const best = decidePromotion(runs);
  return best?.outcome?.kind === "succeeded" ? best : undefined;
}
