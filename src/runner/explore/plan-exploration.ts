import type { RepoConfig } from "../../config/schema/repo-config.ts";
import type { Change } from "../../domain/change.ts";
import { MAX_EVALUATIONS, mostEvaluations } from "../../domain/exploration.ts";
import type {
  Exploration,
  ExplorationState,
  ExplorePlan,
  ExpectedCost,
  Idea,
  ScoreRule,
} from "../../domain/exploration.ts";
import { levelOn } from "../../domain/explore/next-step.ts";
import { wordToConfirm } from "../../domain/explore/words.ts";
import { explorationId } from "../../domain/ids.ts";
import type { Instant, Sha } from "../../domain/ids.ts";
import type { Run } from "../../domain/run.ts";
import type { Task } from "../../domain/task.ts";
import type { FinishedRun } from "../../ports/store.ts";

interface Planned {
  readonly task: Task;
  readonly run: Run;
  readonly config: RepoConfig;
  readonly ideas: readonly Idea[];
  /** They tell what a run costs. */
  readonly history: readonly FinishedRun[];
}

/** Says what will be tried: the issue's own words come before the repository's settings. */
export function planExploration(planned: Planned): ExplorePlan {
  const { task, run, config, ideas, history } = planned;
  const { explore } = task.spec;
  const { parallel, perNode } = config.explore;
  // Settings that are left out are left out of the plan.
  const wanted: Wanted = explore === undefined ? CONTEST : { ...config.explore, ...explore };
  const { depth, beam, strict, retries, patience } = wanted;
  const evaluations = mostEvaluations(ideas.length, depth, beam);
  const score = scoreRule(task, config);
  return {
    ideas,
    depth,
    beam,
    strict,
    retries,
    maxLost: config.limits.failures.infrastructure,
    ...(score !== undefined && { score }),
    ...(patience !== undefined && { patience }),
    ...(parallel !== undefined && { parallel }),
    ...(perNode !== undefined && { perNode }),
    expected: expectedCost(evaluations, run, history),
  };
}

interface Wanted extends Pick<ExplorePlan, "depth" | "beam" | "strict" | "retries"> {
  readonly patience?: number | undefined;
}

/** Several contenders are one level, of which one is taken. */
const CONTEST: Wanted = { depth: 1, beam: 1, strict: false, retries: 0 };

/** Returns the score that the issue names, or else the repository's own. */
export function scoreRule(
  { spec }: Pick<Task, "spec">,
  { scores, explore }: Pick<RepoConfig, "scores" | "explore">,
): ScoreRule | undefined {
  const name = spec.explore?.score ?? explore.score;
  const rule = name === undefined ? undefined : scores[name];
  if (name === undefined || rule === undefined) return undefined;
  const { best, run, files, timeout } = rule;
  return { name, best, run, files, ...(timeout !== undefined && { timeoutMs: timeout }) };
}

/** Says in a sentence why nothing of it can be tried. */
export function planProblem({ expected, ideas, depth, beam }: ExplorePlan): string | undefined {
  if (expected.evaluations <= MAX_EVALUATIONS) return undefined;
  return `${ideas.length} ideas, depth ${depth} and beam ${beam} make up to ${expected.evaluations} evaluations, the limit is ${MAX_EVALUATIONS}`;
}

export interface Opening {
  readonly task: Task;
  readonly run: Run;
  readonly base: Sha;
  readonly plan: ExplorePlan;
  readonly config: RepoConfig;
  /** A person said yes to it. */
  readonly isConfirmed: boolean;
  readonly now: Instant;
}

/** Opens the exploration with its first level, or puts it before a person where it would cost much. */
export function decideOpening(opening: Opening): readonly Change[] {
  const { task, run, base, plan, now: at } = opening;
  const waits = !opening.isConfirmed && isCostly(plan, opening.config);
  const state: ExplorationState = waits ? "to-confirm" : "exploring";
  const root = [{ number: 0, commit: base }];
  const exploration: Exploration = {
    id: explorationId(task.id, run.attempt),
    repo: task.repo,
    task: task.id,
    attempt: run.attempt,
    specHash: task.specHash,
    runner: run.runner,
    base,
    state,
    plan,
    levels: waits ? [] : [levelOn(root, plan, { depth: 1, after: 0, now: at })],
    stop: undefined,
    end: undefined,
    openedAt: at,
    changedAt: at,
  };
  const opened: Change = { kind: "exploration-opened", exploration };
  if (!waits) return [opened];
  const moved = { kind: "task-moved", task: task.id, from: "running", to: "waiting", at } as const;
  return [opened, { ...moved, reason: wordToConfirm(plan), set: { notBefore: null } }];
}

function isCostly(
  { expected, ideas }: ExplorePlan,
  { explore }: Pick<RepoConfig, "explore">,
): boolean {
  // Several contenders were asked for by their number.
  if (ideas.every(({ text }) => text === "")) return false;
  const { evaluations, usd } = explore.confirmAbove;
  return expected.evaluations > evaluations || (expected.usd ?? 0) > usd;
}

/** Expects what runs of the same runner took and cost on average. */
function expectedCost(
  evaluations: number,
  { runner }: Run,
  history: readonly FinishedRun[],
): ExpectedCost {
  const like = history.filter((one) => one.runner === runner);
  const times = like.flatMap(({ startedAt, finishedAt, agentEndedAt = finishedAt }) =>
    startedAt === undefined || agentEndedAt === undefined ? [] : [agentEndedAt - startedAt],
  );
  const dollars = like.flatMap(({ usage }) => usage?.costUsd ?? []);
  return {
    evaluations,
    ...(dollars.length > 0 && { usd: roundCents(mean(dollars) * evaluations) }),
    ...(times.length > 0 && { agentMs: Math.round(mean(times) * evaluations) }),
  };
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

function roundCents(usd: number): number {
  return Math.round(usd * 100) / 100;
}
