import type { Batch } from "../../domain/entry.ts";
import type { BatchId } from "../../domain/ids.ts";
import type { Deps } from "../../ports/deps.ts";
import type { RefUpdate, RefsOutcome } from "../../ports/github.ts";
import { sleep } from "../../shared/sleep.ts";
import type { TrainPass } from "../queue/action.ts";
import { renewed } from "../queue/with-merge-lock.ts";

/** GitHub takes a moment to see a moved head. This is how often we look for it before the base follows. */
const MAX_LOOKS = 10;
const LOOK_EVERY_MS = 500;

/** A commit must be on GitHub before a branch can point to it, so it is staged under a name of ours that nobody watches. */
export function stagingRef(id: BatchId): string {
  return `refs/wavetrain/candidates/${id.slice(0, 20)}`;
}

/** Moves the base branch to exactly the commit that was verified, if the base has not moved since. */
export async function fastForward(
  batch: Batch,
  pass: TrainPass,
  deps: Pick<Deps, "clock" | "git" | "github" | "store">,
): Promise<RefsOutcome> {
  const outcome = await tryToMove(batch, pass, deps);
  if (outcome.kind !== "refused" || outcome.workflows !== true) return outcome;
  const { repo, base } = pass.context;
  // Workflow files that changed on the base meanwhile make GitHub refuse a candidate that touches none.
  if ((await deps.git.fetchBranch(repo, base)) === batch.candidate.base) return outcome;
  return { kind: "stale", reason: `${base} moved after the verification` };
}

async function tryToMove(
  batch: Batch,
  pass: TrainPass,
  deps: Pick<Deps, "clock" | "git" | "github" | "store">,
): Promise<RefsOutcome> {
  const { repo, base } = pass.context;
  const { candidate } = batch;
  const staged = await deps.git.stageCommit(repo, stagingRef(batch.id), candidate.commit);
  if (staged.kind === "rejected") return { ...staged, kind: "refused" };
  const heads = await moveHeads(batch, pass, deps);
  if (heads.kind !== "moved") return heads;
  // Waiting for the heads may have taken a while: only the process that still holds the lock goes on.
  const lock = await renewed(pass.lock, deps);
  const outcome = await deps.github.updateRefs(lock, {
    repo,
    updates: [{ branch: base, before: candidate.base, after: candidate.commit, force: false }],
  });
  // A refused workflow file concerns one change only. Any other refusal to move the base concerns everyone.
  const everyone = outcome.kind === "refused" && outcome.workflows !== true;
  return everyone ? { ...outcome, everyone } : outcome;
}

/**
 * GitHub counts a pull request as merged when its head is on the base. A merge commit has the head as a parent; a squash or a
 * rebase has not, so the pull request's branch is moved first to the commit that lands it.
 */
async function moveHeads(
  batch: Batch,
  pass: TrainPass,
  deps: Pick<Deps, "clock" | "git" | "github">,
): Promise<RefsOutcome> {
  const { repo } = pass.context;
  const updates = headUpdates(batch, pass);
  if (updates.length === 0) return { kind: "moved" };
  const moved = await deps.github.updateRefs(pass.lock, { repo, updates });
  if (moved.kind === "moved") await untilSeen(batch, pass, deps);
  return moved;
}

/** Moves the approved heads to the commits that land them. The reverse of these updates takes that back. */
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
 * Waits until GitHub shows the moved heads. If the base followed at once, or in the same call, GitHub would count the pull requests
 * as closed. The wait is bounded: a pull request that GitHub shows late ends as closed after all, which is not wrong.
 */
async function untilSeen(
  { candidate, entries }: Batch,
  { context }: TrainPass,
  { git, clock }: Pick<Deps, "clock" | "git">,
): Promise<void> {
  const heads = new Map(
    candidate.steps.flatMap(({ commit }, place) => {
      const pull = entries[place]?.pull;
      return pull === undefined ? [] : [[pull, commit] as const];
    }),
  );
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const seen = await git.pullHeads(context.repo, [...heads.keys()]);
    if ([...heads].every(([pull, head]) => seen.get(pull) === head)) return;
    await sleep(LOOK_EVERY_MS, clock);
  }
}
