import type { Change } from "../domain/change.ts";
import { decidePromotion, leadingRuns, runsOfTask } from "../domain/explore/contenders.ts";
import { tighter } from "../domain/budget.ts";
import { decideEnd, endedExploration } from "../domain/explore/decide-end.ts";
import type { ExploreVerdict } from "../domain/explore/decide-end.ts";
import { evaluationsOf } from "../domain/explore/evaluations.ts";
import { evaluationRef, explorationOf, OPENING } from "../domain/exploration.ts";
import type { Exploration, ExplorationEnd, RebasedWinner } from "../domain/exploration.ts";
import { nextStep } from "../domain/explore/next-step.ts";
import { isContest } from "../domain/explore/words.ts";
import { tailOf } from "../domain/failure.ts";
import { giveUp } from "../domain/retry.ts";
import type { Failure } from "../domain/retry.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { RepoContext } from "../ports/deps.ts";
import type { RepoMemory } from "../ports/store.ts";
import { AppError } from "../shared/app-error.ts";
import { assertNever } from "../shared/assert-never.ts";
import { cleanLine } from "../shared/clean-text.ts";
import { historyOf } from "./agent/history.ts";
import { homeOf } from "./agent/run-in-progress.ts";
import type { RunnerDeps } from "./agent/runner-deps.ts";
import { publishChange } from "./change/publish-change.ts";
import { taskAfterRun, failurePolicy } from "./decide-after-run.ts";
import { reachCommit } from "./explore/reach-commit.ts";
import { rebaseWinner } from "./explore/rebase-winner.ts";

export interface Promotion {
  readonly context: RepoContext;
  readonly task: Task;
  readonly memory: RepoMemory;
  /** This many tries came to nothing. */
  readonly failedBefore: number;
  readonly signal: AbortSignal;
}

/**
 * Runs when nothing more is tried for a task: the best run becomes its change, or the best failure that of the attempt. It may be
 * repeated: until the task has moved on, everything that is needed is in the store and in the mirror.
 */
export async function promote(promotion: Promotion, deps: RunnerDeps): Promise<void> {
  const { context, task, memory } = promotion;
  const own = runsOfTask(task.id, memory.runs);
  const runs = own.filter(({ attempt }) => attempt === task.attempts);
  const exploration = explorationOf(task, memory.explorations);
  const now = deps.clock.now();
  const { limits, budget } = context.config;
  const step = nextStep({
    task,
    exploration,
    runs: own,
    budget: tighter(budget.perTask, deps.operator.budget.perTask),
    maxLost: limits.failures.infrastructure,
    now,
  });
  if (step.kind !== "end") return;
  const changes =
    exploration === undefined
      ? [afterOpening({ ...promotion, runs }, deps)]
      : await afterExploration({ ...promotion, runs, exploration, why: step.why }, deps);
  await deps.store.record(context.repo, changes);
  deps.log.info({ repo: context.repo, task: task.id, reason: step.why }, "exploration ended");
  if (exploration !== undefined) await clearUp({ task, runs, exploration }, deps);
}

interface Opened extends Promotion {
  /** These are the runs of the attempt. */
  readonly runs: readonly Run[];
}

interface Ended extends Opened {
  readonly exploration: Exploration;
  readonly why: string;
}

/** It could not even begin. Ideas that could not be used are given up with what was wrong with them. */
function afterOpening({ context, task, memory, runs }: Opened, deps: RunnerDeps): Change {
  const run = runs.at(-1);
  if (run?.outcome === undefined) throw new Error(`the exploration of ${task.id} has no run`);
  const { outcome } = run;
  const at = failureOf(context, task, deps);
  if (outcome.kind === "verify-failed") {
    const said = cleanLine(tailOf(outcome), 300);
    return giveUp({ ...at, what: "no usable ideas were proposed" }, said);
  }
  const history = historyOf(task, memory, run);
  const earlier = leadingRuns(history.runs).flatMap((one) => one.outcome ?? []);
  return taskAfterRun({ ...at, run, outcome, pull: undefined, earlier });
}

async function afterExploration(ended: Ended, deps: RunnerDeps): Promise<readonly Change[]> {
  const { context, task, runs, exploration, failedBefore, why } = ended;
  const verdict = decideEnd(exploration, runs, why);
  if (verdict.kind !== "winner") {
    return [closing(ended, { why: verdict.why }, deps), taskWithout(verdict, ended, deps)];
  }
  try {
    return await takeWinner(verdict, ended, deps);
  } catch (error) {
    const tries = failedBefore + 1;
    if (!(error instanceof AppError) || isOvertaken(error)) throw error;
    if (tries < context.config.limits.failures.infrastructure) throw error;
    const which = isContest(exploration) ? "contender" : "evaluation";
    const what = `the change of ${which} ${verdict.run.contender} could not be published: ${error.message}`;
    const kept = `gave up after ${tries} tries; it is kept in the mirror`;
    return [
      closing(ended, { why: what }, deps),
      giveUp({ ...failureOf(context, task, deps), what }, kept),
    ];
  }
}

async function takeWinner(
  { run, why }: Extract<ExploreVerdict, { kind: "winner" }>,
  ended: Ended,
  deps: RunnerDeps,
): Promise<readonly Change[]> {
  const { context, task, memory, runs, exploration, signal } = ended;
  const { outcome } = run;
  if (outcome?.kind !== "succeeded") throw new Error(`run ${run.id} is no winner`);
  await reachCommit(context.repo, outcome.head, deps);
  const rebased = await rebaseWinner({ context, exploration, head: outcome.head, signal }, deps);
  await expectUnchanged(ended, deps);
  const end = { why, winner: run.contender, ...(rebased !== undefined && { rebased }) };
  const now = deps.clock.now();
  const taken = { ...outcome, head: rebased?.head ?? outcome.head };
  const exploring = { exploration: endedExploration(exploration, runs, { end, now }), runs };
  const base = baseOf(exploration, rebased);
  const change = { outcome: taken, base, exploring };
  const { head, pull } = await publishChange(
    change,
    { context, run, task, proof: undefined },
    deps,
  );
  const history = historyOf(task, memory, run);
  const earlier = leadingRuns(history.runs).flatMap((one) => one.outcome ?? []);
  const at = failureOf(context, task, deps);
  const published = { ...outcome, head };
  return [
    closing(ended, end, deps),
    ...(head === outcome.head
      ? []
      : [{ kind: "run-rebased", run: run.id, outcome: published, at: at.now } as const]),
    taskAfterRun({ ...at, run, outcome: published, pull, earlier }),
  ];
}

/** The winner may have been looked at for long. Nothing is pushed for an exploration that was stopped meanwhile, or that another server has ended. */
async function expectUnchanged(
  { context, task, exploration }: Ended,
  { store }: Pick<RunnerDeps, "store">,
): Promise<void> {
  const { tasks, explorations } = await store.readRepo(context.repo);
  const found = explorations.find(({ id }) => id === exploration.id);
  const isAtWork = tasks.some(({ id, state }) => id === task.id && state === "running");
  if (isAtWork && found?.changedAt === exploration.changedAt) return;
  throw new AppError("store-conflict", `the exploration ${exploration.id} has changed meanwhile`);
}

function baseOf({ base }: Exploration, rebased: RebasedWinner | undefined): Exploration["base"] {
  return rebased?.head === undefined ? base : rebased.onto;
}

function closing(
  { exploration, runs }: Ended,
  end: ExplorationEnd,
  { clock }: Pick<RunnerDeps, "clock">,
): Change {
  const at = clock.now();
  const { levels } = endedExploration(exploration, runs, { end, now: at });
  const { id, changedAt: unchangedSince } = exploration;
  const moved = { kind: "exploration-moved", exploration: id, from: "exploring", at } as const;
  return { ...moved, to: "ended", unchangedSince, set: { levels, end } };
}

function taskWithout(
  verdict: Exclude<ExploreVerdict, { kind: "winner" }>,
  { context, task, memory, runs }: Ended,
  deps: RunnerDeps,
): Change {
  const at = failureOf(context, task, deps);
  switch (verdict.kind) {
    case "cancelled": {
      const moved = { kind: "task-moved", task: task.id, from: task.state, at: at.now } as const;
      return { ...moved, to: "cancelled", reason: verdict.why, set: {} };
    }
    case "none":
      return giveUp({ ...at, what: verdict.why }, "every try is kept and listed");
    case "failed": {
      const run = decidePromotion(runs);
      if (run?.outcome === undefined) throw new Error(`no run of ${task.id} has ended`);
      const history = historyOf(task, memory, run);
      const earlier = leadingRuns(history.runs).flatMap((one) => one.outcome ?? []);
      return taskAfterRun({ ...at, run, outcome: run.outcome, pull: undefined, earlier });
    }
    default:
      return assertNever(verdict);
  }
}

function failureOf(
  { config }: RepoContext,
  task: Task,
  { clock, host, operator }: Pick<RunnerDeps, "clock" | "host" | "operator">,
): Omit<Failure, "what" | "policy"> & { readonly policy: ReturnType<typeof failurePolicy> } {
  const policy = failurePolicy(config, operator);
  return { task, policy, now: clock.now(), jitter: host.random() };
}

/** Someone else went on with the task meanwhile. */
function isOvertaken({ code }: AppError): boolean {
  return code === "store-conflict" || code === "store-fenced";
}

/** Behind the last barrier nobody needs the others' HOMEs, nor what servers handed to each other on GitHub. */
async function clearUp(
  { task, runs, exploration }: Pick<Ended, "task" | "runs" | "exploration">,
  deps: Pick<RunnerDeps, "git" | "host" | "log" | "operator">,
): Promise<void> {
  const { git, operator, log } = deps;
  const { repo, attempt } = exploration;
  try {
    // These come first, because the task may be tried again at once, in the same HOMEs.
    await removeHomes({ task, runs, exploration }, deps);
    if (operator.store.url === undefined) return;
    for (const { number, depth, runs: its } of evaluationsOf(exploration, runs))
      if (its.length > 0) await git.unstage(repo, evaluationRef(task, { depth, attempt, number }));
  } catch (err) {
    log.warn({ repo, task: task.id, err }, "exploration not tidied up");
  }
}

/** A run that revises the winner's change goes on in its HOME. Contenders may be tried again. */
async function removeHomes(
  { task, runs, exploration }: Pick<Ended, "task" | "runs" | "exploration">,
  { host }: Pick<RunnerDeps, "host">,
): Promise<void> {
  if (isContest(exploration)) return;
  const winner = decidePromotion(runs)?.contender;
  const numbers = evaluationsOf(exploration, runs).map(({ number }) => number);
  for (const contender of [OPENING, ...numbers])
    if (contender !== winner) await host.removeHome(homeOf({ run: { contender }, task }));
}
