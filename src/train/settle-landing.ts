import { isDeepStrictEqual } from "node:util";
import type { Deps } from "../deps.ts";
import type { Change } from "../domain/change.ts";
import type { Sha } from "../domain/ids.ts";
import type { RefsOutcome } from "../ports/github.ts";
import { AppError } from "../shared/app-error.ts";
import { auditLanded, auditStep } from "./audit.ts";
import type { Batch } from "./batch.ts";
import { batchName, decideLanded, decideNotLanded, haltedBy } from "./decide-landing.ts";
import type { LandedStep, NotLanded } from "./decide-landing.ts";
import { headUpdates } from "./fast-forward.ts";
import { trainPolicy } from "./policy.ts";
import type { TrainPass } from "./train-pass.ts";
import { recordUnder } from "./with-merge-lock.ts";

interface Settlement {
  /** In the state `landing`. */
  readonly batch: Batch;
  /** What the answer said; undefined after a crash. It is never believed: the base branch is read. */
  readonly outcome: RefsOutcome | undefined;
}

/** Learns from the base branch whether the landing happened, and writes that down. Safe to repeat after a crash. */
export async function settleLanding(
  settlement: Settlement,
  pass: TrainPass,
  deps: Deps,
): Promise<void> {
  const { batch } = settlement;
  const steps = await landedSteps(batch, pass, deps);
  const changes =
    steps === undefined
      ? await notLanded(
          { ...settlement, outcome: await inLightOfRules(settlement, pass, deps) },
          pass,
          deps,
        )
      : await landed({ batch, steps }, pass, deps);
  await recordUnder(pass.lock, { repo: pass.context.repo, changes }, deps);
  if (steps !== undefined) fetchAhead(pass, deps);
}

/** Whatever starts next begins with this: by the time that a slot is free it is here. */
function fetchAhead({ context: { repo, base } }: TrainPass, { git, log }: Deps): void {
  git.fetchBranch(repo, base).catch((err: unknown) => {
    log.debug({ repo, err }, "base not fetched ahead");
  });
}

/** The commits on the base branch that landed the entries; undefined when the base does not have them. */
async function landedSteps(
  batch: Batch,
  { context }: TrainPass,
  deps: Deps,
): Promise<readonly LandedStep[] | undefined> {
  const { repo, base } = context;
  const { candidate, entries } = batch;
  const tip = await deps.git.fetchBranch(repo, base);
  if (await deps.git.isAncestor(repo, candidate.commit, tip)) return candidate.steps;
  // By the merge API GitHub makes the commit, and only GitHub can say which it is.
  const [entry] = entries;
  if (entry?.pull === undefined || entries.length > 1) return undefined;
  const { mergedAs } = await deps.github.pullState(repo, entry.pull);
  if (mergedAs === undefined || !(await deps.git.isAncestor(repo, mergedAs, tip))) return undefined;
  return [{ commit: mergedAs }];
}

async function landed(
  { batch, steps }: { readonly batch: Batch; readonly steps: readonly LandedStep[] },
  pass: TrainPass,
  deps: Deps,
): Promise<readonly Change[]> {
  const { train, tasks, context } = pass;
  const breach = await findBreach(batch, { steps, pass }, deps);
  if (breach !== undefined) {
    deps.log.error({ repo: context.repo, reason: breach }, "integrity breached");
  }
  const landing = { batch, tasks, train, now: deps.clock.now() };
  return decideLanded(landing, steps, breach);
}

async function findBreach(
  { candidate }: Batch,
  { steps, pass }: { readonly steps: readonly LandedStep[]; readonly pass: TrainPass },
  deps: Deps,
): Promise<string | undefined> {
  let onto: Sha = candidate.base;
  for (const [place, made] of candidate.steps.entries()) {
    const commit = steps[place]?.commit ?? made.commit;
    const breach =
      commit === made.commit
        ? await auditStep({ ...made, onto, method: candidate.method }, pass.context, deps)
        : await auditLanded({ commit, head: made.head }, pass.context, deps);
    if (breach !== undefined) return breach;
    onto = commit;
  }
  return undefined;
}

/** Where the rules are not what the landing went by, the refusal says nothing of the change: it goes by the new ones next. */
async function inLightOfRules(
  { outcome }: Settlement,
  { context, policy }: TrainPass,
  { github }: Deps,
): Promise<RefsOutcome | undefined> {
  if (outcome?.kind !== "refused") return outcome;
  const { repo, base, config } = context;
  const now = trainPolicy(config, await github.branchRules(repo, base, "now"));
  if (isDeepStrictEqual(now, policy)) return outcome;
  return { kind: "stale", reason: `the rules of ${base} changed` };
}

async function notLanded(
  { batch, outcome }: Settlement,
  pass: TrainPass,
  deps: Deps,
): Promise<readonly Change[]> {
  const { context, train, tasks } = pass;
  await restoreHeads(batch, pass, deps);
  const now = deps.clock.now();
  const end = endOf(outcome, batch, deps);
  const changes = decideNotLanded({ batch, tasks, train, now }, end);
  if (outcome?.kind !== "refused") return changes;
  if (outcome.everyone === true) {
    const cause = { reason: `GitHub refuses to move ${context.base}: ${outcome.reason}`, at: now };
    return [...changes, haltedBy(train, "permission", cause)];
  }
  if (batch.entries.length === 1) return changes;
  // A batch that GitHub refuses may have one member that it refuses: they go one by one.
  const { id, state, reason } = train;
  const suspects = [...batch.entries.map((entry) => [entry.id]), ...train.suspects];
  const alone: Change = {
    ...{ kind: "train-moved", train: id, from: state, to: state, reason, at: now },
    set: { size: 1, suspects },
  };
  deps.log.warn({ repo: context.repo, reason: end.reason }, "batch refused");
  return [...changes, alone];
}

function endOf(outcome: RefsOutcome | undefined, batch: Batch, { operator }: Deps): NotLanded {
  const pauseMs = operator.retry.backoff;
  if (outcome === undefined) {
    return { to: "queued", reason: "the app was stopped while landing", pauseMs: 0 };
  }
  switch (outcome.kind) {
    case "moved":
      return { to: "queued", reason: "the base branch does not have it", pauseMs };
    case "stale":
      return { to: "queued", reason: outcome.reason, pauseMs: 0 };
    case "unknown":
      return { to: "queued", reason: outcome.reason, pauseMs };
    case "refused":
      return batch.entries.length > 1 || outcome.everyone === true
        ? { to: "queued", reason: outcome.reason, pauseMs: 0 }
        : { to: "rejected", reason: `GitHub refused: ${outcome.reason}`, pauseMs };
  }
}

/** Heads that were moved for a landing that did not happen go back to what was approved; until they are, it is not settled. */
async function restoreHeads(batch: Batch, pass: TrainPass, deps: Deps): Promise<void> {
  const { repo } = pass.context;
  for (const { branch, before, after } of headUpdates(batch, pass)) {
    if ((await deps.git.remoteBranch(repo, branch)) !== after) continue;
    const back = { branch, before: after, after: before, force: true };
    const outcome = await deps.github.updateRefs(pass.lock, { repo, updates: [back] });
    deps.log.warn({ repo, reason: outcome.kind, entry: batchName(batch) }, "head put back");
    if (outcome.kind !== "unknown") continue;
    throw new AppError("github-unavailable", `cannot put ${branch} back`, { retryable: true });
  }
}
