import { assertNever } from "../../shared/assert-never.ts";
import { groupBy } from "../../shared/group-by.ts";
import { failureClassOf, isForgiven } from "../failure.ts";
import type { Instant } from "../ids.ts";
import type { Run, RunOutcome } from "../run.ts";
import type { Exploration, ExplorePlan, Level, PlannedEvaluation } from "../exploration.ts";

/** `skipped` will not begin any more, because the exploration ended before. */
export type EvaluationState = "queued" | "running" | "succeeded" | "failed" | "skipped";

/** This is an evaluation with what its runs say about it. */
export interface Evaluation extends PlannedEvaluation {
  readonly depth: number;
  readonly state: EvaluationState;
  /** These are its runs so far, oldest first. */
  readonly runs: readonly Run[];
  readonly score: number | undefined;
  readonly files: number | undefined;
  /** It is there for one that failed. */
  readonly error: RunOutcome | undefined;
  readonly queuedAt: Instant;
  readonly startedAt: Instant | undefined;
  readonly finishedAt: Instant | undefined;
  readonly promoted: boolean;
}

type Tries = Pick<ExplorePlan, "retries" | "maxLost">;

/** Returns all evaluations of the exploration, in the order of their numbers. */
export function evaluationsOf(
  exploration: Exploration,
  runs: readonly Run[],
): readonly Evaluation[] {
  const own = runs.filter(
    ({ task, attempt, rework }) =>
      task === exploration.task && attempt === exploration.attempt && rework === undefined,
  );
  const byNumber = groupBy(own, ({ contender }) => contender);
  return exploration.levels.flatMap((level) =>
    level.evaluations.map((planned) =>
      evaluationOf({ planned, level, exploration }, byNumber.get(planned.number) ?? []),
    ),
  );
}

/** Says how far the runs of one evaluation are: `queued` means that another one has to begin. */
export function stateOfRuns(
  runs: readonly Run[],
  tries: Tries,
): Exclude<EvaluationState, "skipped"> {
  if (runs.length === 0) return "queued";
  if (runs.some(({ state }) => state !== "finished")) return "running";
  if (runs.some(({ outcome }) => outcome?.kind === "succeeded")) return "succeeded";
  if (runs.some(isWithdrawn)) return "failed";
  if (runs.filter(isCounted).length > tries.retries) return "failed";
  return runs.filter(isTakenAway).length >= tries.maxLost ? "failed" : "queued";
}

/** Somebody took the task away, or nobody is logged in, which all evaluations have in common. */
export function isWithdrawn({ outcome }: Pick<Run, "outcome">): boolean {
  return outcome?.kind === "cancelled" || outcome?.kind === "not-logged-in";
}

function isCounted({ outcome }: Run): boolean {
  const failure = outcome && failureClassOf(outcome);
  return failure !== undefined && !isForgiven(failure);
}

/** A run that had not begun when the app stopped cannot be why it stopped. */
function isTakenAway({ outcome, startedAt }: Run): boolean {
  if (outcome?.kind !== "lost") return false;
  return outcome.interrupted !== true || startedAt !== undefined;
}

interface Planned {
  readonly planned: PlannedEvaluation;
  readonly level: Level;
  readonly exploration: Exploration;
}

function evaluationOf({ planned, level, exploration }: Planned, runs: readonly Run[]): Evaluation {
  const state = stateOf(runs, exploration);
  return {
    ...planned,
    ...factsOf(state, runs),
    depth: level.depth,
    state,
    runs,
    queuedAt: queuedAt({ level, state }, runs),
    promoted: level.promoted.includes(planned.number),
  };
}

function factsOf(
  state: EvaluationState,
  runs: readonly Run[],
): Pick<Evaluation, "score" | "files" | "error" | "startedAt" | "finishedAt"> {
  // Nothing follows a run that succeeded.
  const last = runs.at(-1);
  const outcome = last?.outcome;
  const result = {
    ...(outcome?.kind === "succeeded" ? resultOf(outcome) : NO_RESULT),
    error: state === "failed" ? outcome : undefined,
  };
  // A run that was taken away and is to be repeated is no start, and no end.
  if (last === undefined || state === "queued" || state === "skipped")
    return { ...result, startedAt: undefined, finishedAt: undefined };
  return { ...result, startedAt: last.startedAt, finishedAt: last.finishedAt };
}

const NO_RESULT = { score: undefined, files: undefined };

function resultOf({
  score,
  files,
}: Extract<RunOutcome, { kind: "succeeded" }>): Pick<Evaluation, "score" | "files"> {
  return { score, files: files.length };
}

/** What is queued waits since it came back, or since its level was opened. */
function queuedAt(
  { level, state }: { readonly level: Level; readonly state: EvaluationState },
  runs: readonly Run[],
): Instant {
  const back = state === "queued" ? runs.at(-1)?.finishedAt : runs.at(-2)?.finishedAt;
  return back ?? level.openedAt;
}

function stateOf(runs: readonly Run[], { plan, state, stop }: Exploration): EvaluationState {
  const own = stateOfRuns(runs, plan);
  switch (own) {
    case "queued":
      return state === "ended" || stop !== undefined ? "skipped" : "queued";
    case "running":
    case "succeeded":
    case "failed":
      return own;
    default:
      return assertNever(own);
  }
}
