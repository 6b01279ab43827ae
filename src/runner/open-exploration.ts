import type { Change } from "../domain/change.ts";
import type { Idea, ScoreRule } from "../domain/exploration.ts";
import { isContest } from "../domain/explore/words.ts";
import type { Sha } from "../domain/ids.ts";
import type { RunOutcome, StopOutcome } from "../domain/run.ts";
import type { Workspace } from "../ports/git.ts";
import { AppError, wordsOf } from "../shared/app-error.ts";
import { plainName } from "../shared/quote.ts";
import { fail, ok } from "../shared/result.ts";
import type { Result } from "../shared/result.ts";
import type { Job, JobResult, RunInProgress } from "./agent/run-in-progress.ts";
import type { RunnerDeps } from "./agent/runner-deps.ts";
import { IDEAS_PATH, MAX_IDEAS_BYTES, readIdeas, renderIdeasPrompt } from "./explore/ask-ideas.ts";
import { confirmedOf, findIdeas } from "./explore/find-ideas.ts";
import {
  decideOpening,
  planExploration,
  planProblem,
  scoreRule,
} from "./explore/plan-exploration.ts";
import { scoreCommit, vainPattern } from "./explore/score-commit.ts";
import type { ScoreAnswer } from "./explore/score-commit.ts";
import { wordBadScore } from "./explore/word-bad-score.ts";
import { runTask } from "./run-task.ts";

/** A repository learns from so many runs what one costs. */
const MAX_HISTORY_RUNS = 200;
/** The ideas have a first try, and a second one that is told what was wrong with the first. */
const MAX_ASKED = 2;

/**
 * Makes the exploration of an attempt: pins the base, finds the ideas, scores the base. All evaluations of the first level are on record
 * when this run has ended. Whatever is wrong is said before any of them runs.
 */
export async function openExploration(progress: RunInProgress, deps: RunnerDeps): Promise<void> {
  const { context, run, task, proof } = progress;
  const log = { repo: context.repo, task: task.id, run: run.id };
  try {
    const base = await deps.git.fetchBranch(context.repo, context.base, progress.baseSince);
    const { explorations } = await deps.store.readRepo(context.repo);
    const ideas = await findIdeas({ repo: context.repo, base, task, explorations }, deps);
    if (ideas.ok && "ask" in ideas.value) {
      await ask({ base, count: ideas.value.ask }, progress, deps);
      return;
    }
    const opened =
      ideas.ok && !("ask" in ideas.value)
        ? await openUnlessStopped({ base, ideas: ideas.value }, progress, deps)
        : refused(ideas.ok ? "" : ideas.error, progress, deps);
    await end(opened, progress, deps);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const outcome = interruptionOf(progress.signal) ?? lost(error);
    deps.log.warn({ ...log, err: error }, "run lost");
    const finished = { kind: "run-finished", run: run.id, outcome, at: deps.clock.now() } as const;
    await deps.store.record(context.repo, [finished], proof);
  }
}

/** Nobody is paid for ideas that could not be compared. */
async function ask(
  { base, count }: { readonly base: Sha; readonly count: number },
  progress: RunInProgress,
  deps: RunnerDeps,
): Promise<void> {
  const { run, task, context } = progress;
  const score = scoreRule(task, context.config);
  const isBegun = run.state === "running";
  const scored = isBegun ? ok(undefined) : await scoreBase({ base, score }, progress, deps);
  if (scored.ok) await runTask({ ...progress, job: askFor(count) }, deps);
  else await end(refused(scored.error, progress, deps), progress, deps);
}

interface Found {
  readonly base: Sha;
  readonly ideas: readonly Idea[];
}

async function end(
  { outcome, changes = [] }: JobResult,
  { context, run, task, proof }: RunInProgress,
  deps: RunnerDeps,
): Promise<void> {
  const finished = { kind: "run-finished", run: run.id, outcome, at: deps.clock.now() } as const;
  await deps.store.record(context.repo, [finished, ...changes], proof);
  const log = { repo: context.repo, task: task.id, run: run.id, reason: outcome.kind };
  deps.log.info(log, "exploration opened");
}

/** Opens nothing where somebody stopped it meanwhile: what was asked of this run is forgotten when it has ended. */
async function openUnlessStopped(
  found: Found,
  progress: RunInProgress,
  deps: RunnerDeps,
): Promise<JobResult> {
  const { signal } = progress;
  try {
    const opened = await open(found, progress, deps);
    return stoppedBy(signal) ?? opened;
  } catch (error) {
    const stopped = error instanceof AppError ? stoppedBy(signal) : undefined;
    if (stopped === undefined) throw error;
    return stopped;
  }
}

function stoppedBy(signal: AbortSignal): JobResult | undefined {
  const outcome = interruptionOf(signal);
  return outcome && { outcome, changes: [] };
}

/** Puts together what will be tried, and scores the base: a score that cannot tell anything of the base is said now. */
async function open(
  { base, ideas }: Found,
  progress: RunInProgress,
  deps: RunnerDeps,
): Promise<JobResult> {
  const { context, run, task } = progress;
  const { config, repo } = context;
  const history = await deps.store.finishedRuns(repo, MAX_HISTORY_RUNS);
  const plan = planExploration({ task, run, config, ideas, history });
  const problem = planProblem(plan);
  if (problem !== undefined) return refused(problem, progress, deps);
  // Several contenders need no score of the base: they are only compared with each other.
  const score = isContest({ plan }) ? undefined : plan.score;
  const scored = await scoreBase({ base, score }, progress, deps);
  if (!scored.ok) return refused(scored.error, progress, deps);
  const { explorations } = await deps.store.readRepo(repo);
  const changes = decideOpening({
    task,
    run,
    base,
    plan: { ...plan, ...(scored.value !== undefined && { baseScore: scored.value }) },
    config,
    isConfirmed: confirmedOf(task, explorations) !== undefined,
    now: deps.clock.now(),
  });
  const made = { head: base, files: [], outside: [], notes: "the exploration is open" };
  return { outcome: { kind: "succeeded", ...made }, changes };
}

async function scoreBase(
  { base, score }: { readonly base: Sha; readonly score: ScoreRule | undefined },
  { context, signal }: RunInProgress,
  deps: RunnerDeps,
): Promise<Result<number | undefined, string>> {
  if (score === undefined) return ok(undefined);
  const { name, files } = score;
  const vain = await vainPattern({ repo: context.repo, commit: base, files }, deps);
  if (vain !== undefined)
    return fail(
      `no file of the base branch matches ${plainName(vain)}, one of the files of the score ${name}: it would protect nothing`,
    );
  const timeoutMs = context.config.explore.timeout ?? Infinity;
  const question = { context, score, commit: base, judge: base, timeoutMs, signal };
  return readAnswer(name, await scoreCommit(question, deps));
}

function readAnswer(name: string, answer: ScoreAnswer): Result<number, string> {
  if (answer.kind === "scored") return ok(answer.score);
  if (answer.end.kind === "cancelled" || answer.end.kind === "lost")
    throw new AppError("process-failed", "the scoring of the base was stopped", {
      retryable: true,
    });
  return fail(
    `the score ${name} of the base itself is no number: ${wordBadScore(answer)}; it has to exit with 0 and end with a number`,
  );
}

/** What is wrong is in the issue, the settings or the base: another attempt would meet with the same. */
function refused(
  reason: string,
  { task }: RunInProgress,
  { clock }: Pick<RunnerDeps, "clock">,
): JobResult {
  const outcome: RunOutcome = { kind: "cancelled", reason };
  const moved: Change = {
    kind: "task-moved",
    task: task.id,
    from: "running",
    to: "failed",
    reason,
    at: clock.now(),
    set: { failures: task.failures + 1 },
  };
  return { outcome, changes: [moved] };
}

/** A runner reads the repository and proposes what to try. One file is all that is taken from its workspace. */
function askFor(count: number): Job {
  return {
    attempts: MAX_ASKED,
    prompt: (view) => renderIdeasPrompt(view, count),
    collect: async ({ workspace }, progress, deps) => {
      const ideas = await proposedIn(workspace, count, deps);
      if (!ideas.ok)
        return { outcome: { kind: "verify-failed", tail: ideas.error.join("\n") }, changes: [] };
      return openUnlessStopped({ base: workspace.base, ideas: ideas.value }, progress, deps);
    },
  };
}

/** Reads the proposal. A file that the repository had before the run is not one. */
async function proposedIn(
  workspace: Workspace,
  count: number,
  deps: Pick<RunnerDeps, "files" | "git">,
): Promise<ReturnType<typeof readIdeas>> {
  const { paths } = await deps.git.diffWorkspace(workspace);
  const text = paths.includes(IDEAS_PATH)
    ? await deps.files.read(workspace.path, IDEAS_PATH, MAX_IDEAS_BYTES)
    : undefined;
  return text === undefined ? fail([`${IDEAS_PATH} was not written`]) : readIdeas(text, count);
}

function lost(error: AppError): RunOutcome {
  return { kind: "lost", reason: wordsOf(error) };
}

/** Whoever stops a run says how it ended. */
function interruptionOf({ aborted, reason }: AbortSignal): StopOutcome | undefined {
  return aborted ? (reason as StopOutcome) : undefined;
}
