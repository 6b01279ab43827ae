import type { Deps } from "../deps.ts";
import type { BatchId } from "../domain/ids.ts";
import { isWorkflowRefusal } from "../domain/workflow-refusal.ts";
import type { RefUpdate, RefsOutcome } from "../ports/github.ts";
import type { Batch } from "./batch.ts";
import type { TrainPass } from "./train-pass.ts";
import { renewed } from "./with-merge-lock.ts";

/** How often a moved head is looked for before the base follows: GitHub takes a moment to see it. */
const LOOKS = 10;
const LOOK_EVERY_MS = 500;

/** Under a name of ours that no one watches: the commit has to be there before a branch can point to it. */
export function stagingRef(id: BatchId): string {
  return `refs/wavetrain/candidates/${id.slice(0, 20)}`;
}

/** Moves the base branch to exactly the commit that was verified, if it is where it was. */
export async function fastForward(batch: Batch, pass: TrainPass, deps: Deps): Promise<RefsOutcome> {
  const { repo, base } = pass.context;
  const { candidate } = batch;
  const staged = await deps.git.stageCommit(repo, stagingRef(batch.id), candidate.commit);
  if (staged.kind === "rejected") return { kind: "refused", reason: staged.reason };
  const heads = await moveHeads(batch, pass, deps);
  if (heads.kind !== "moved") return heads;
  // Seeing the heads may have taken a while: only who still has the train goes on.
  const lock = await renewed(pass.lock, deps);
  const outcome = await deps.github.updateRefs(lock, {
    repo,
    updates: [{ branch: base, before: candidate.base, after: candidate.commit, force: false }],
  });
  // A workflow file is one change's own trouble, whatever else refuses the base is everyone's.
  const everyone = outcome.kind === "refused" && !isWorkflowRefusal(outcome.reason);
  return everyone ? { ...outcome, everyone } : outcome;
}

/**
 * GitHub takes a pull request for merged when its head is on the base. A merge commit has the head as a parent; a squash or a
 * rebase has not, so the pull request's branch goes first to the commit that lands it.
 */
async function moveHeads(batch: Batch, pass: TrainPass, deps: Deps): Promise<RefsOutcome> {
  const { repo } = pass.context;
  const updates = headUpdates(batch, pass);
  if (updates.length === 0) return { kind: "moved" };
  const moved = await deps.github.updateRefs(pass.lock, { repo, updates });
  if (moved.kind === "moved") await untilSeen(batch, pass, deps);
  return moved;
}

/** From the approved heads to the commits that land them; the other way round to take that back. */
export function headUpdates(
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

/**
 * The base must not follow at once, or in the same call: GitHub would take the pull requests for closed. Bounded: one that it shows
 * late ends as closed after all, which is not wrong.
 */
async function untilSeen(
  { candidate, entries }: Batch,
  { context }: TrainPass,
  { git, clock }: Deps,
): Promise<void> {
  const heads = new Map(
    candidate.steps.flatMap(({ commit }, place) => {
      const pull = entries[place]?.pull;
      return pull === undefined ? [] : [[pull, commit] as const];
    }),
  );
  for (let look = 0; look < LOOKS; look += 1) {
    const seen = await git.pullHeads(context.repo, [...heads.keys()]);
    if ([...heads].every(([pull, head]) => seen.get(pull) === head)) return;
    await new Promise<void>((resolve) => void clock.after(LOOK_EVERY_MS, resolve));
  }
}
