import type { Deps, RepoContext } from "../deps.ts";
import { leadingRuns, roundOf } from "../domain/candidates.ts";
import { decidePromotion } from "../domain/decide-promotion.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { RepoMemory } from "../ports/store.ts";
import { taskAfterRun } from "./decide-after-run.ts";
import { failurePolicy } from "./failure-policy.ts";
import { historyOf } from "./history.ts";
import { publishChange } from "./publish-change.ts";

export interface Promotion {
  readonly context: RepoContext;
  readonly task: Task;
  readonly memory: RepoMemory;
}

/**
 * All candidates have ended: the best one becomes the task's change, or its failure the attempt's. May be repeated: until the task
 * has moved on, everything that is needed is in the store and in the mirror.
 */
export async function promote(promotion: Promotion, deps: Deps): Promise<void> {
  const { context, task, memory } = promotion;
  const round = roundOf(task, memory.runs);
  if (round?.ended !== true) return;
  const withdrawn = round.runs.find(({ outcome }) => outcome?.kind === "cancelled");
  const run = withdrawn ?? decidePromotion(round.runs);
  if (run?.outcome === undefined) return;
  const pull = await publish(run, { ...promotion, candidates: round.runs }, deps);
  const history = historyOf(task, memory, run.attempt);
  const moved = taskAfterRun({
    ...{ task, run, outcome: run.outcome, pull },
    earlier: leadingRuns(history.runs).flatMap(({ outcome }) => outcome ?? []),
    policy: failurePolicy(context.config, deps.operator),
    now: deps.clock.now(),
    jitter: deps.host.random(),
  });
  await deps.store.record(context.repo, [moved]);
  const log = { repo: context.repo, task: task.id, run: run.id, reason: run.outcome.kind };
  deps.log.info(log, "candidate promoted");
}

async function publish(
  run: Run,
  { context, task, candidates }: Promotion & { readonly candidates: readonly Run[] },
  deps: Deps,
): Promise<number | undefined> {
  const { outcome, baseSha } = run;
  if (outcome?.kind !== "succeeded" || baseSha === undefined) return undefined;
  const change = { outcome, base: baseSha, candidates };
  return publishChange(change, { context, run, task, proof: undefined }, deps);
}
