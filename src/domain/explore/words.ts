import { assertNever } from "../../shared/assert-never.ts";
import { formatDuration } from "../../shared/format.ts";
import { describeOutcome } from "../failure.ts";
import type { Run } from "../run.ts";
import type { Task } from "../task.ts";
import { evaluationsOf } from "./evaluations.ts";
import type { Evaluation, EvaluationState } from "./evaluations.ts";
import type {
  Exploration,
  ExplorePlan,
  ExpectedCost,
  Level,
  RebasedWinner,
} from "../exploration.ts";
import { compareEvaluations } from "./next-step.ts";

/** People call the runs of `candidates:n` contenders, and those of an exploration evaluations. */
export function isContest({ plan }: Pick<Exploration, "plan">): boolean {
  return plan.depth === 1 && plan.ideas.every(({ text }) => text === "");
}

/** Tells the same of a task whose exploration is not there yet. */
export function isContestTask({ spec }: Pick<Task, "spec">): boolean {
  return spec.explore === undefined;
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

/** Says of each level how far it is, such as `level 1: 5 of 5, best 12.5, promoted 2, 4`. */
export function wordLevels(exploration: Exploration, runs: readonly Run[]): readonly string[] {
  const evaluations = evaluationsOf(exploration, runs);
  return exploration.levels.map((level) =>
    wordLevel(
      level,
      evaluations.filter(({ depth }) => depth === level.depth),
    ),
  );
}

/** Says what became of one evaluation, such as `promoted` or `failed: the runner was killed`. */
export function wordFate(one: Evaluation, exploration: Exploration): string {
  const { stop, end } = exploration;
  switch (one.state) {
    case "queued":
      return one.runs.length === 0 ? "queued" : "queued again";
    case "running":
      return "running";
    case "skipped":
      return `${one.runs.length === 0 ? "not begun" : "not tried again"}: ${stop?.why ?? end?.why ?? "it is over"}`;
    case "failed":
      return one.error === undefined ? "failed" : `failed: ${describeOutcome(one.error)}`;
    case "succeeded":
      return wordSuccess(one, exploration);
    default:
      return assertNever(one.state);
  }
}

/** Says what became of the winner when the base had moved meanwhile; `before` is the score that it won with. */
export function wordRebased(
  { onto, score, problem }: RebasedWinner,
  before: number | undefined,
): string {
  const base = onto.slice(0, 7);
  if (problem !== undefined)
    return `the base moved meanwhile, to ${base}, and the winner was left where it was made: ${problem}`;
  const moved = `the base moved meanwhile: put on ${base}`;
  if (score === undefined) return moved;
  const instead = before === undefined || before === score ? "" : ` instead of ${before}`;
  return `${moved} and scored again, ${score}${instead}`;
}

function wordLevel({ depth, closedAt, promoted }: Level, own: readonly Evaluation[]): string {
  const count = (...states: readonly EvaluationState[]): number =>
    own.filter(({ state }) => states.includes(state)).length;
  const score = bestEvaluation(own)?.score;
  const [failed, running] = [count("failed"), count("running")];
  const taken = promoted.length === 0 ? "none promoted" : `promoted ${promoted.join(", ")}`;
  const parts = [
    `${count("succeeded", "failed")} of ${own.length}`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(running === 0 ? [] : [`${running} running`]),
    ...(score === undefined ? [] : [`best ${score}`]),
    ...(closedAt === undefined ? [] : [taken]),
  ];
  return `level ${depth}: ${parts.join(", ")}`;
}

function wordSuccess(
  { number, depth, promoted }: Evaluation,
  { plan, levels, end }: Exploration,
): string {
  if (end?.winner === number) return "the winner";
  if (promoted) return "promoted";
  const level = levels.find((one) => one.depth === depth);
  if (level?.closedAt === undefined) return "succeeded";
  if (level.promoted.length === 0) return "its level was not finished";
  return plan.beam === 1 ? "not the best" : `not among the best ${plan.beam}`;
}
