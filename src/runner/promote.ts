import type { Change } from "../domain/change.ts";
import { leadingRuns, roundOf, decidePromotion } from "../domain/contenders.ts";
import { giveUp } from "../domain/retry.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import type { RepoMemory } from "../ports/store.ts";
import { AppError } from "../shared/app-error.ts";
import { historyOf } from "./agent/history.ts";
import type { RunnerDeps } from "./agent/runner-deps.ts";
import { publishChange } from "./change/publish-change.ts";
import { taskAfterRun, failurePolicy } from "./decide-after-run.ts";

export interface Promotion {
  readonly context: RepoContext;
  readonly task: Task;
  readonly memory: RepoMemory;
  /** This many tries came to nothing. */
  readonly failedBefore: number;
}

/**
 * Runs when all contenders have ended: the best one becomes the task's change, or its failure the attempt's. It may be repeated: until
 * the task has moved on, everything that is needed is in the store and in the mirror.
 */
export async function promote(promotion: Promotion, deps: RunnerDeps): Promise<void> {
  const { context, task, memory } = promotion;
  const round = roundOf(task, memory.runs);
  if (round?.ended !== true) return;
  const withdrawn = round.runs.find(({ outcome }) => outcome?.kind === "cancelled");
  const run = withdrawn ?? decidePromotion(round.runs);
  if (run?.outcome === undefined) return;
  const moved = await moveAfter(run, { ...promotion, contenders: round.runs }, deps);
  await deps.store.record(context.repo, [moved]);
  const log = { repo: context.repo, task: task.id, run: run.id, reason: run.outcome.kind };
  deps.log.info(log, "contender promoted");
}

type Ended = Promotion & { readonly contenders: readonly Run[] };

async function moveAfter(run: Run, promotion: Ended, deps: RunnerDeps): Promise<Change> {
  const { context, task, memory, failedBefore } = promotion;
  const { outcome } = run;
  if (outcome === undefined) throw new Error(`run ${run.id} has not ended`);
  const policy = failurePolicy(context.config, deps.operator);
  const at = { task, policy, now: deps.clock.now(), jitter: deps.host.random() };
  const history = historyOf(task, memory, run);
  const earlier = leadingRuns(history.runs).flatMap((one) => one.outcome ?? []);
  try {
    const pull = await publish(run, promotion, deps);
    return taskAfterRun({ ...at, run, outcome, pull, earlier });
  } catch (error) {
    const tries = failedBefore + 1;
    if (!(error instanceof AppError) || isOvertaken(error)) throw error;
    if (tries < context.config.limits.failures.infrastructure) throw error;
    const what = `the change of contender ${run.contender} could not be published: ${error.message}`;
    return giveUp({ ...at, what }, `gave up after ${tries} tries; it is kept in the mirror`);
  }
}

/** Someone else went on with the task meanwhile. */
function isOvertaken({ code }: AppError): boolean {
  return code === "store-conflict" || code === "store-fenced";
}

async function publish(
  run: Run,
  { context, task, contenders }: Ended,
  deps: Pick<Deps, "clock" | "git" | "github" | "log" | "store">,
): Promise<number | undefined> {
  const { outcome, baseSha } = run;
  if (outcome?.kind !== "succeeded" || baseSha === undefined) return undefined;
  const change = { outcome, base: baseSha, contenders };
  return (await publishChange(change, { context, run, task, proof: undefined }, deps)).pull;
}
