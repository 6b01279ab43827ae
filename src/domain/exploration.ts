import type { ExplorationId, Instant, RepoName, Sha, TaskId } from "./ids.ts";

/** An idea is what an evaluation is told to try. Its name tells it from the others. */
export interface Idea {
  readonly name: string;
  readonly text: string;
}

/** Says where ideas come from: written in the issue, files of the base branch, or a runner that proposes some. */
export type IdeaSource =
  | { readonly kind: "list"; readonly ideas: readonly Idea[] }
  | { readonly kind: "files"; readonly patterns: readonly string[] }
  | { readonly kind: "ask"; readonly count: number };

/** An issue says this in its section `Explore`. What it leaves out comes from the repository's settings. */
export interface ExploreSpec {
  readonly ideas: IdeaSource;
  readonly depth?: number;
  readonly beam?: number;
  /** It names an entry of the repository's `scores`. */
  readonly score?: string;
  readonly strict?: boolean;
  readonly patience?: number;
}

/** `low` means that a lower score is better. */
export type BestScore = "high" | "low";

/** This is an entry of the repository's `scores`, as it was when the exploration began: all of it is judged alike. */
export interface ScoreRule {
  readonly name: string;
  readonly best: BestScore;
  /** It is a shell command. */
  readonly run: string;
  /** These are taken from the base before each scoring. */
  readonly files: readonly string[];
  readonly timeoutMs?: number;
}

/** Says what is tried, fixed when the exploration begins: a setting that changes later changes nothing of it. */
export interface ExplorePlan {
  /** They are sorted by name. */
  readonly ideas: readonly Idea[];
  readonly depth: number;
  readonly beam: number;
  /** One evaluation that fails ends the exploration without a winner. */
  readonly strict: boolean;
  /** After so many levels without a better score it ends. */
  readonly patience?: number;
  readonly score?: ScoreRule;
  /** The pinned base itself scores this. */
  readonly baseScore?: number;
  /** A failed evaluation is tried so many times more. */
  readonly retries: number;
  /** An evaluation that was taken away so often by the world counts as failed. */
  readonly maxLost: number;
  /** At most so many evaluations are under way at once, and so many of one node. */
  readonly parallel?: number;
  readonly perNode?: number;
  readonly expected: ExpectedCost;
}

/** This is expected before anything starts, from the runs of the past. */
export interface ExpectedCost {
  /** There are at most so many evaluations; fewer where a level promotes fewer nodes. */
  readonly evaluations: number;
  readonly usd?: number;
  readonly agentMs?: number;
}

/** An evaluation is one idea on one node. Everything else about it follows from its runs. */
export interface PlannedEvaluation {
  /** It is counted from 1 through all levels, and is the `contender` of its runs. */
  readonly number: number;
  /** The node is this evaluation's commit; 0 is the pinned base. */
  readonly parent: number;
  readonly node: Sha;
  readonly idea: string;
}

/** A level has all evaluations that are compared with each other: it is written down before the first of them starts. */
export interface Level {
  readonly depth: number;
  readonly evaluations: readonly PlannedEvaluation[];
  readonly openedAt: Instant;
  readonly closedAt?: Instant;
  /** The best of them, in the order of their numbers. It is empty until the level is closed. */
  readonly promoted: readonly number[];
}

/** `to-confirm` waits for a person, because it would cost much. `confirmed` says that the next start need not ask. */
export type ExplorationState = "to-confirm" | "confirmed" | "exploring" | "ended";

/** Somebody stopped it. The best so far is taken where `keep` says so. */
export interface ExploreStop {
  readonly why: string;
  readonly keep: boolean;
}

export interface ExplorationEnd {
  readonly why: string;
  /** It is absent where nothing is taken. */
  readonly winner?: number;
  /** It is there if the base moved meanwhile. */
  readonly rebased?: RebasedWinner;
}

/** The winner was put on the base as it is by now. `problem` says why it was left where it was made. */
export interface RebasedWinner {
  readonly onto: Sha;
  readonly head?: Sha;
  readonly score?: number;
  readonly problem?: string;
}

/** An exploration is one attempt at a task by several runs, of which the best is taken: level by level, or contenders in one level. */
export interface Exploration {
  readonly id: ExplorationId;
  readonly repo: RepoName;
  readonly task: TaskId;
  readonly attempt: number;
  readonly specHash: string;
  readonly runner: string;
  /** Every level goes back to this commit. */
  readonly base: Sha;
  readonly state: ExplorationState;
  readonly plan: ExplorePlan;
  readonly levels: readonly Level[];
  readonly stop: ExploreStop | undefined;
  readonly end: ExplorationEnd | undefined;
  readonly openedAt: Instant;
  readonly changedAt: Instant;
}

/** The run with this number makes the exploration: it pins the base, finds the ideas and scores the base. */
export const OPENING = 0;

export const MAX_IDEAS = 100;
export const MAX_DEPTH = 10;
export const MAX_BEAM = 20;
/** More than this would not fit into what people read, nor into a day. */
export const MAX_EVALUATIONS = 1000;

/** These parts of a task's rules say how many runs an attempt at it has. */
export interface ExploringSpec {
  readonly contenders?: number;
  readonly explore?: ExploreSpec;
}

/** Tells whether an attempt at the task is several runs, of which one is taken. */
export function explores({ contenders = 1, explore }: ExploringSpec): boolean {
  return contenders > 1 || explore !== undefined;
}

/** Returns the exploration of the task's present attempt. */
export function explorationOf(
  { id, attempts }: { readonly id: TaskId; readonly attempts: number },
  explorations: readonly Exploration[],
): Exploration | undefined {
  return explorations.find(({ task, attempt }) => task === id && attempt === attempts);
}

/** Returns the latest exploration of the task, of whatever attempt. */
export function lastExplorationOf(
  id: TaskId,
  explorations: readonly Exploration[],
): Exploration | undefined {
  return explorations
    .filter(({ task }) => task === id)
    .reduce<Exploration | undefined>(
      (last, one) => (last === undefined || one.attempt > last.attempt ? one : last),
      undefined,
    );
}

/** Says how many evaluations there are at most. */
export function mostEvaluations(ideas: number, depth: number, beam: number): number {
  return ideas + (depth - 1) * beam * ideas;
}

/** Higher is better, whatever `best` says. It is undefined where nothing scores. */
export function meritOf(
  score: number | undefined,
  { score: rule }: { readonly score?: Pick<ScoreRule, "best"> },
): number | undefined {
  if (score === undefined) return undefined;
  return rule?.best === "low" ? -score : score;
}

export const EXPLORE_REFS = "refs/wavetrain/explore/";

export interface EvaluationPlace {
  readonly depth: number;
  readonly attempt: number;
  readonly number: number;
}

/** Names the commit of an evaluation in the mirror. The attempt keeps a second exploration of the issue apart. */
export function evaluationRef(
  { issue }: { readonly issue: number },
  { depth, attempt, number }: EvaluationPlace,
): string {
  return `${EXPLORE_REFS}${issue}/${depth}/${attempt}.${number}`;
}
