import type { Run } from "../run.ts";
import { evaluationsOf, isWithdrawn } from "./evaluations.ts";
import type { Evaluation } from "./evaluations.ts";
import { meritOf } from "../exploration.ts";
import type { Exploration, ExplorationEnd, Level } from "../exploration.ts";
import { bestOf, goodRun } from "./next-step.ts";
import { bestEvaluation, isContest, wordBest } from "./words.ts";
import type { Instant } from "../ids.ts";

/**
 * `winner` is taken. `none` is given up with these words. `failed` ended like its best run, which the policy for failures knows.
 * `cancelled` was taken away.
 */
export type ExploreVerdict =
  | { readonly kind: "winner"; readonly run: Run; readonly why: string }
  | { readonly kind: "none"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "cancelled"; readonly why: string };

/** Decides what comes of an exploration in which nothing more is tried; `why` says why not. */
export function decideEnd(
  exploration: Exploration,
  runs: readonly Run[],
  why: string,
): ExploreVerdict {
  const evaluations = evaluationsOf(exploration, runs);
  const { stop, plan } = exploration;
  const taken = takenAway(exploration, evaluations);
  if (taken !== undefined) return { kind: "cancelled", why: taken };
  const strict = plan.strict && evaluations.some(({ state }) => state === "failed");
  if (strict && stop === undefined) return { kind: "none", why };
  const best = bestEvaluation(evaluations);
  const run = best && goodRun(best);
  if (best === undefined || run === undefined) return withoutSuccess(exploration, evaluations, why);
  if (isWorse(best, exploration))
    return {
      kind: "none",
      why: `nothing is better than the base: the best is ${wordBest(best, plan)}`,
    };
  return { kind: "winner", run, why };
}

/** Returns the exploration as it is when it has ended. A level that was cut short promotes nothing, nor does a strict one with a failure. */
export function endedExploration(
  exploration: Exploration,
  runs: readonly Run[],
  { end, now }: { readonly end: ExplorationEnd; readonly now: Instant },
): Exploration {
  const evaluations = evaluationsOf(exploration, runs);
  const levels = exploration.levels.map((level): Level => {
    if (level.closedAt !== undefined) return level;
    const ofLevel = evaluations.filter(({ depth }) => depth === level.depth);
    const promoted = ofLevel.every((one) => isOver(one, exploration))
      ? bestOf(ofLevel, exploration.plan.beam)
      : [];
    return { ...level, closedAt: now, promoted: promoted.map(({ number }) => number) };
  });
  return { ...exploration, state: "ended", levels, end, changedAt: now };
}

/** A failure ends an evaluation, but not where it was taken away with the others, or where one failure is too many. */
function isOver({ state, runs }: Evaluation, { plan }: Exploration): boolean {
  return state === "succeeded" || (state === "failed" && !plan.strict && !runs.some(isWithdrawn));
}

function withoutSuccess(
  exploration: Exploration,
  evaluations: readonly Evaluation[],
  why: string,
): ExploreVerdict {
  if (exploration.stop !== undefined) return { kind: "cancelled", why: exploration.stop.why };
  if (isContest(exploration)) return { kind: "failed", why };
  const loggedOut = evaluations.some((one) => one.error?.kind === "not-logged-in");
  return { kind: "none", why: loggedOut ? why : wordNone(evaluations) };
}

function takenAway({ stop }: Exploration, evaluations: readonly Evaluation[]): string | undefined {
  if (stop !== undefined) return stop.keep ? undefined : stop.why;
  const outcome = evaluations
    .flatMap((one) => one.runs)
    .find((run) => isWithdrawn(run) && run.outcome?.kind === "cancelled")?.outcome;
  return outcome?.kind === "cancelled" ? outcome.reason : undefined;
}

function isWorse({ score }: Evaluation, { plan }: Exploration): boolean {
  const [merit, base] = [meritOf(score, plan), meritOf(plan.baseScore, plan)];
  return merit !== undefined && base !== undefined && merit < base;
}

function wordNone(evaluations: readonly Evaluation[]): string {
  const tried = evaluations.filter(({ state }) => state === "failed").length;
  return tried === 1 ? "the one evaluation failed" : `none of ${tried} evaluations succeeded`;
}
