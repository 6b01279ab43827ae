import type { Deps } from "../deps.ts";
import type { BatchId } from "../domain/ids.ts";
import { isWorkflowRefusal } from "../domain/workflow-refusal.ts";
import type { RefUpdate, RefsOutcome } from "../ports/github.ts";
import type { Batch } from "./batch.ts";
import type { TrainPass } from "./train-pass.ts";
import { renewed } from "./with-merge-lock.ts";

/** Under a name of ours that no one watches: the commit has to be there before a branch can point to it. */
export function stagingRef(id: BatchId): string {
  return `refs/wavetrain/candidates/${id.slice(0, 20)}`;
}

/**
 * Moves the base branch to exactly the commit that was verified, if it and the heads are where they were. All of them move in one
 * call, or none does: no head is ever left at a commit that did not land, and no one can push to one in between.
 */
export async function fastForward(batch: Batch, pass: TrainPass, deps: Deps): Promise<RefsOutcome> {
  const { repo, base } = pass.context;
  const { candidate } = batch;
  const staged = await deps.git.stageCommit(repo, stagingRef(batch.id), candidate.commit);
  if (staged.kind === "rejected") return { kind: "refused", reason: staged.reason };
  // Staging may have taken a while: only who still has the train goes on.
  const lock = await renewed(pass.lock, deps);
  const onto = { branch: base, before: candidate.base, after: candidate.commit, force: false };
  const updates = [...headUpdates(batch, pass), onto];
  const outcome = await deps.github.updateRefs(lock, { repo, updates });
  // A workflow file is one change's own trouble, whatever else refuses the base is everyone's.
  const everyone = outcome.kind === "refused" && !isWorkflowRefusal(outcome.reason);
  return everyone ? { ...outcome, everyone } : outcome;
}

/**
 * GitHub takes a pull request for merged when its head is on the base. A merge commit has the head as a parent; a squash or a
 * rebase has not, so the pull request's branch goes to the commit that lands it. Heads come before the base: that is the order
 * in which GitHub should hear of them.
 */
function headUpdates(
  { candidate, entries }: Batch,
  { tasks }: Pick<TrainPass, "tasks">,
): readonly RefUpdate[] {
  if (candidate.method === "merge") return [];
  return candidate.steps.flatMap((step, place) => {
    const entry = entries[place];
    const branch = tasks.find(({ id }) => id === entry?.task)?.branch;
    if (entry?.pull === undefined || branch === undefined) return [];
    return [{ branch, before: step.head, after: step.commit, force: true }];
  });
}
