import { meritOf } from "../../domain/exploration.ts";
import { isContest } from "../../domain/explore/words.ts";
import type { RunOutcome } from "../../domain/run.ts";
import type { RepoContext } from "../../ports/deps.ts";
import { outcomeOfEnd } from "../agent/outcome-of-agent.ts";
import type { RunInProgress } from "../agent/run-in-progress.ts";
import type { RunnerDeps } from "../agent/runner-deps.ts";
import type { EvaluationInProgress } from "../agent/evaluation-in-progress.ts";
import { scoreCommit, scoreTimeout } from "./score-commit.ts";

/** This is a change that was committed. */
export type Made = Pick<
  Extract<RunOutcome, { kind: "succeeded" }>,
  "head" | "files" | "outside" | "notes"
>;

interface Scoring {
  readonly made: Made;
  readonly evaluation: EvaluationInProgress;
  /** Its agent and its verification took so long together. */
  readonly spentMs: number;
}

/** Scores the commit in a place of its own. A contender without a score goes after the others, an evaluation without one has failed. */
export async function scoreEvaluation(
  { made, evaluation, spentMs }: Scoring,
  { context, signal, run, task }: RunInProgress,
  deps: RunnerDeps,
): Promise<RunOutcome> {
  const { exploration } = evaluation;
  const { plan, base: judge } = exploration;
  if (plan.score === undefined) return { kind: "succeeded", ...made };
  const timeoutMs = scoreTimeout(context, plan.score, timeLeft(context, spentMs));
  const question = { context, score: plan.score, commit: made.head, judge, timeoutMs, signal };
  const answer = await scoreCommit(question, deps);
  if (answer.kind === "scored") {
    const { score } = answer;
    const merit = meritOf(score, plan);
    return { kind: "succeeded", ...made, score, ...(merit !== undefined && { merit }) };
  }
  const execution = { step: "score" as const, command: "", timeoutMs };
  const { end, tail } = answer;
  const failed = failureOf(outcomeOfEnd(end, { execution, tail, signal }), tail);
  if (!isContest(exploration) || INTERRUPTED.has(failed.kind)) return failed;
  deps.log.warn({ repo: context.repo, task: task.id, run: run.id }, "score not told");
  return { kind: "succeeded", ...made };
}

const INTERRUPTED: ReadonlySet<RunOutcome["kind"]> = new Set(["cancelled", "lost"]);

/** Says of a command that ended by itself that it told no score. */
function failureOf(stopped: RunOutcome | undefined, tail: string): RunOutcome {
  if (stopped === undefined || stopped.kind === "failed") return { kind: "not-scored", tail };
  return stopped;
}

/** One evaluation may take so long with all its steps. */
export function timeLeft({ config }: RepoContext, spentMs: number): number {
  return Math.max(1, (config.explore.timeout ?? Infinity) - spentMs);
}
