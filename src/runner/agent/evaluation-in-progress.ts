import { evaluationsOf } from "../../domain/explore/evaluations.ts";
import { explorationOf } from "../../domain/exploration.ts";
import type { Exploration, Idea, PlannedEvaluation } from "../../domain/exploration.ts";
import { isContest } from "../../domain/explore/words.ts";
import type { Run } from "../../domain/run.ts";
import type { Task } from "../../domain/task.ts";
import type { RepoContext } from "../../ports/deps.ts";
import type { RepoMemory } from "../../ports/store.ts";

/** This idea was tried before, and led to the node. */
export interface Forerunner {
  readonly idea: string;
  readonly score: number | undefined;
}

/** A run tries this idea on this node. */
export interface EvaluationInProgress {
  readonly exploration: Exploration;
  readonly planned: PlannedEvaluation;
  readonly depth: number;
  readonly idea: Idea;
  /** They lead from the base to the node, the first one first. */
  readonly forerunners: readonly Forerunner[];
}

/** Returns undefined for a run that tries no idea. */
export function evaluationInProgress(
  run: Run,
  task: Task,
  { runs, explorations }: Pick<RepoMemory, "runs" | "explorations">,
): EvaluationInProgress | undefined {
  const exploration = explorationOf(task, explorations);
  if (exploration === undefined || run.rework !== undefined) return undefined;
  const evaluations = evaluationsOf(exploration, runs);
  const planned = evaluations.find(({ number }) => number === run.contender);
  const idea = exploration.plan.ideas.find(({ name }) => name === planned?.idea);
  if (planned === undefined || idea === undefined) return undefined;
  const forerunners: Forerunner[] = [];
  let at = evaluations.find(({ number }) => number === planned.parent);
  while (at !== undefined) {
    const { parent } = at;
    forerunners.unshift({ idea: at.idea, score: at.score });
    at = evaluations.find(({ number }) => number === parent);
  }
  return { exploration, planned, depth: planned.depth, idea, forerunners };
}

/** An exploration tells its evaluations apart by what they were told to do, so none may do anything else; and none may take for ever. */
export function contextOfEvaluation(
  context: RepoContext,
  evaluation: EvaluationInProgress | undefined,
): RepoContext {
  if (evaluation === undefined || isContest(evaluation.exploration)) return context;
  const { timeouts, explore } = context.config;
  const run = Math.min(timeouts.run, explore.timeout ?? Infinity);
  const config = { ...context.config, scope: "reject" as const, timeouts: { ...timeouts, run } };
  return { ...context, config };
}
