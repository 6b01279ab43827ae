import { isDeepStrictEqual } from "node:util";
import type { Change } from "../../domain/change.ts";
import type { Batch } from "../../domain/entry.ts";
import type { Sha } from "../../domain/ids.ts";
import type { Deps } from "../../ports/deps.ts";
import type { RefUpdate, RefsOutcome } from "../../ports/github.ts";
import { AppError } from "../../shared/app-error.ts";
import type { TrainPass } from "../queue/action.ts";
import { FOR_WORKFLOWS, circumstances, trainPolicy } from "../queue/policy.ts";
import { recordUnder } from "../queue/with-merge-lock.ts";
import { auditLanded, auditStep } from "./audit.ts";
import {
  batchName,
  decideLanded,
  decideNotLanded,
  haltedBy,
  refusalWords,
} from "./decide-landing.ts";
import type { LandedStep, NotLanded } from "./decide-landing.ts";
import { headUpdates } from "./fast-forward.ts";

interface AttemptedLanding {
  /** Its entries are in the state `landing`. */
  readonly batch: Batch;
  /** GitHub answered this; it is undefined after a crash. The answer is never believed: the base branch is read. */
  readonly outcome: RefsOutcome | undefined;
}

interface Found {
  /** The base branch is at this commit now. */
  readonly tip: Sha;
  readonly pass: TrainPass;
}

/** Learns from the base branch whether the landing happened, and writes that down. It is safe to repeat after a crash. */
export async function resolveLanding(
  attempted: AttemptedLanding,
  pass: TrainPass,
  deps: Pick<Deps, "clock" | "git" | "github" | "log" | "operator" | "store">,
): Promise<void> {
  const { batch } = attempted;
  const { repo, base } = pass.context;
  const tip = await deps.git.fetchBranch(repo, base);
  const steps = await landedSteps(batch, { tip, pass }, deps);
  const changes =
    steps === undefined
      ? await notLanded(attempted, { tip, pass }, deps)
      : await landed({ batch, steps }, pass, deps);
  await recordUnder(pass.lock, { repo: pass.context.repo, changes }, deps);
  if (steps !== undefined) fetchAhead(pass, deps);
}

/** Fetches the new base early, because the next run begins with it: it is here by the time that a slot is free. */
function fetchAhead(
  { context: { repo, base } }: TrainPass,
  { git, log }: Pick<Deps, "git" | "log">,
): void {
  git.fetchBranch(repo, base).catch((err: unknown) => {
    log.debug({ repo, err }, "base not fetched ahead");
  });
}

/** Returns the commits on the base branch that landed the entries, or undefined when the base does not have them. */
async function landedSteps(
  { candidate, entries }: Batch,
  { tip, pass }: Found,
  deps: Pick<Deps, "git" | "github">,
): Promise<readonly LandedStep[] | undefined> {
  const { repo } = pass.context;
  if (await deps.git.isAncestor(repo, candidate.commit, tip)) return candidate.steps;
  // With the merge API GitHub makes the commit, and only GitHub can say which one it is.
  const [entry] = entries;
  if (entry?.pull === undefined || entries.length > 1) return undefined;
  const { mergedAs } = await deps.github.pullState(repo, entry.pull);
  if (mergedAs === undefined || !(await deps.git.isAncestor(repo, mergedAs, tip))) return undefined;
  return [{ commit: mergedAs }];
}

async function landed(
  { batch, steps }: { readonly batch: Batch; readonly steps: readonly LandedStep[] },
  pass: TrainPass,
  deps: Pick<Deps, "clock" | "git" | "log">,
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
  deps: Pick<Deps, "git">,
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

/**
 * Holds the answer against what is seen: where the base or a head moved, a refusal may be about that, whatever its type; where neither
 * did, nothing is stale.
 */
async function inLightOfFacts(
  attempted: AttemptedLanding,
  { hasMoved, pass }: { readonly hasMoved: boolean; readonly pass: TrainPass },
  deps: Pick<Deps, "github">,
): Promise<RefsOutcome | undefined> {
  const { outcome } = attempted;
  if (outcome?.kind === "stale" && !hasMoved) return { kind: "refused", reason: outcome.reason };
  if (outcome?.kind !== "refused") return outcome;
  if (hasMoved) return { kind: "stale", reason: outcome.reason };
  return inLightOfRules(attempted, pass, deps);
}

/** If the branch rules changed since the landing began, a refusal says nothing about the change: it is tried again under the new ones. */
async function inLightOfRules(
  { outcome }: AttemptedLanding,
  { context, policy }: TrainPass,
  { github }: Pick<Deps, "github">,
): Promise<RefsOutcome | undefined> {
  if (outcome?.kind !== "refused") return outcome;
  const { repo, base, config } = context;
  const now = trainPolicy(config, await github.branchRules(repo, base, "now"));
  if (isDeepStrictEqual(now, policy)) return outcome;
  return { kind: "stale", reason: `the rules of ${base} changed` };
}

async function notLanded(
  attempted: AttemptedLanding,
  { tip, pass }: Found,
  deps: Pick<Deps, "clock" | "git" | "github" | "log" | "operator">,
): Promise<readonly Change[]> {
  const { batch } = attempted;
  const { context, train, tasks } = pass;
  const headMoved = await restoreHeads(batch, pass, deps);
  const hasMoved = headMoved || tip !== batch.candidate.base;
  const outcome = await inLightOfFacts(attempted, { hasMoved, pass }, deps);
  const now = deps.clock.now();
  const end = endOf(outcome, { batch, pass }, deps);
  const changes = decideNotLanded({ batch, tasks, train, now }, end);
  if (outcome?.kind !== "refused") return changes;
  if (outcome.everyone === true) {
    const cause = { reason: `GitHub refuses to move ${context.base}: ${outcome.reason}`, at: now };
    return [...changes, haltedBy(train, "permission", cause)];
  }
  if (batch.entries.length === 1) return changes;
  // GitHub may refuse a whole batch because of one member, so its members go one by one.
  const { id, state, reason } = train;
  const suspects = [...batch.entries.map((entry) => [entry.id]), ...train.suspects];
  const alone: Change = {
    kind: "train-moved",
    train: id,
    from: state,
    to: state,
    reason,
    at: now,
    set: { size: 1, suspects },
  };
  deps.log.warn({ repo: context.repo, reason: end.reason }, "batch refused");
  return [...changes, alone];
}

function endOf(
  outcome: RefsOutcome | undefined,
  { batch, pass }: { readonly batch: Batch; readonly pass: TrainPass },
  { operator }: Pick<Deps, "operator">,
): NotLanded {
  const pauseMs = operator.retry.backoff;
  const approvedBy = batch.entries.flatMap((entry) => entry.approvedBy);
  const base = batch.candidate.base;
  const under = circumstances({ base, policy: pass.policy, approvedBy });
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
        ? { to: "queued", reason: outcome.reason, pauseMs }
        : {
            to: "rejected",
            reason: refusalWords(outcome.reason),
            pauseMs,
            refusedUnder: outcome.workflows === true ? FOR_WORKFLOWS : under,
          };
  }
}

/**
 * Moves the heads back to the approved commits after a landing that did not happen. Until that is done, the landing stays unresolved.
 * Returns whether somebody else moved one of them.
 */
async function restoreHeads(
  batch: Batch,
  pass: TrainPass,
  deps: Pick<Deps, "git" | "github" | "log">,
): Promise<boolean> {
  const { repo } = pass.context;
  let moved = false;
  for (const { branch, before, after } of headUpdates(batch, pass)) {
    const at = await deps.git.remoteBranch(repo, branch);
    moved ||= at !== before && at !== after;
    if (at !== after) continue;
    const back = { branch, before: after, after: before, force: true };
    const outcome = await deps.github.updateRefs(pass.lock, { repo, updates: [back] });
    deps.log.warn({ repo, reason: outcome.kind, entry: batchName(batch) }, "head put back");
    if (outcome.kind === "refused") await putBackOnBase({ branch, before, after }, pass, deps);
    if (outcome.kind !== "unknown") continue;
    throw new AppError("github-unavailable", `cannot put ${branch} back`, { retryable: true });
  }
  return moved;
}

/** GitHub refuses the way back to a head whose workflow files the base has left behind. Its change goes onto the new base instead. */
async function putBackOnBase(
  { branch, before, after }: Pick<RefUpdate, "branch" | "before" | "after">,
  { context: { repo, base } }: TrainPass,
  { git, log }: Pick<Deps, "git" | "log">,
): Promise<void> {
  const tip = await git.fetchBranch(repo, base);
  const message = `Merge ${base} into ${branch}`;
  const caughtUp = await git.catchUp({ repo, head: before, base: tip, rewrite: true, message });
  if (caughtUp.kind !== "caught-up") return;
  const pushed = await git.pushBranch({ repo, branch, commit: caughtUp.commit, expected: after });
  log.warn({ repo, reason: pushed.kind }, "head put on the new base");
}
