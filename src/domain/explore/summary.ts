import { describeOutcome } from "../failure.ts";
import type { Instant, Sha } from "../ids.ts";
import type { Run, RunOutcome } from "../run.ts";
import { evaluationsOf } from "./evaluations.ts";
import type { Evaluation, EvaluationState } from "./evaluations.ts";
import type { Exploration } from "../exploration.ts";
import { goodRun } from "./next-step.ts";

/** A node is a commit that ideas were tried on: the pinned base, or what a promoted evaluation made. */
export interface NodeSummary {
  /** It is 0 for the base, and the evaluation's number otherwise. */
  readonly id: number;
  readonly parent: number | null;
  readonly depth: number;
  readonly commit: Sha;
  readonly score: number | null;
}

export interface EvaluationSummary {
  readonly id: number;
  readonly node: number;
  readonly depth: number;
  readonly idea: string;
  readonly state: EvaluationState;
  readonly score: number | null;
  readonly attempts: number;
  readonly queuedAt: Instant;
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant | null;
  readonly promoted: boolean;
  readonly error: EvaluationError | null;
}

export interface EvaluationError {
  readonly kind: RunOutcome["kind"];
  readonly message: string;
}

export interface WinnerSummary {
  readonly evaluation: number;
  readonly commit: Sha;
  readonly score: number | null;
  readonly branch: string;
}

/** Scripts rely on this form: docs/explore.md describes it. */
export interface ExploreSummary {
  readonly nodes: readonly NodeSummary[];
  readonly evaluations: readonly EvaluationSummary[];
  readonly winner: WinnerSummary | null;
}

/** Tells everything about an exploration that scripts and people are told. */
export function summaryOf(exploration: Exploration, runs: readonly Run[]): ExploreSummary {
  const evaluations = evaluationsOf(exploration, runs);
  return {
    nodes: nodesOf(exploration, evaluations),
    evaluations: evaluations.map(evaluationSummary),
    winner: winnerOf(exploration, evaluations),
  };
}

function nodesOf(
  { base, plan, levels }: Exploration,
  evaluations: readonly Evaluation[],
): readonly NodeSummary[] {
  const root = { id: 0, parent: null, depth: 0, commit: base, score: plan.baseScore ?? null };
  const opened = new Set(levels.flatMap((level) => level.evaluations.map(({ parent }) => parent)));
  const below = evaluations.flatMap((one): readonly NodeSummary[] => {
    const outcome = goodRun(one)?.outcome;
    const isNode = opened.has(one.number) || one.promoted;
    if (!isNode || outcome?.kind !== "succeeded") return [];
    const { number: id, parent, depth, score } = one;
    return [{ id, parent, depth, commit: outcome.head, score: score ?? null }];
  });
  return [root, ...below];
}

function evaluationSummary(one: Evaluation): EvaluationSummary {
  const { number: id, parent: node, depth, idea, state, promoted, error } = one;
  return {
    id,
    node,
    depth,
    idea,
    state,
    score: one.score ?? null,
    attempts: one.runs.length,
    queuedAt: one.queuedAt,
    startedAt: one.startedAt ?? null,
    finishedAt: one.finishedAt ?? null,
    promoted,
    error: error === undefined ? null : { kind: error.kind, message: describeOutcome(error) },
  };
}

function winnerOf({ end }: Exploration, evaluations: readonly Evaluation[]): WinnerSummary | null {
  const winner = evaluations.find(({ number }) => number === end?.winner);
  const run = winner && goodRun(winner);
  if (run?.outcome?.kind !== "succeeded") return null;
  const { outcome, contender: evaluation, branch } = run;
  const { head: commit = outcome.head, score = outcome.score } = end?.rebased ?? {};
  return { evaluation, commit, score: score ?? null, branch };
}
