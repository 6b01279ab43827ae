import { isDeepStrictEqual } from "node:util";
import type { Change } from "../../domain/change.ts";
import type { Batch } from "../../domain/entry.ts";
import type { Sha } from "../../domain/ids.ts";
import type { Deps } from "../../ports/deps.ts";
import type { RefsOutcome } from "../../ports/github.ts";
import { AppError } from "../../shared/app-error.ts";
import type { TrainPass } from "../queue/action.ts";
import { trainPolicy } from "../queue/policy.ts";
import { recordUnder } from "../queue/with-merge-lock.ts";
import { auditLanded, auditStep } from "./audit.ts";
import { batchName, decideLanded, decideNotLanded, haltedBy } from "./decide-landing.ts";
import type { LandedStep, NotLanded } from "./decide-landing.ts";
import { headUpdates } from "./fast-forward.ts";

interface AttemptedLanding {
  /** Its entries are in the state `landing`. */
  readonly batch: Batch;
  /** GitHub answered this; it is undefined after a crash. The answer is never believed: the base branch is read. */
  readonly outcome: RefsOutcome | undefined;
}

/** Learns from the base branch whether the landing happened, and writes that down. It is safe to repeat after a crash. */
export async function resolveLanding(
  attempted: AttemptedLanding,
  pass: TrainPass,
  deps: Pick<Deps, "clock" | "git" | "github" | "log" | "operator" | "store">,
): Promise<void> {
  const { batch } = attempted;
  const steps = await landedSteps(batch, pass, deps);
  const changes =
    steps === undefined
      ? await notLanded(
          { ...attempted, outcome: await inLightOfRules(attempted, pass, deps) },
          pass,
          deps,
        )
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
  batch: Batch,
  { context }: TrainPass,
  deps: Pick<Deps, "git" | "github">,
): Promise<readonly LandedStep[] | undefined> {
  const { repo, base } = context;
  const { candidate, entries } = batch;
  const tip = await deps.git.fetchBranch(repo, base);
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
  { batch, outcome }: AttemptedLanding,
  pass: TrainPass,
  deps: Pick<Deps, "clock" | "git" | "github" | "log" | "operator">,
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
  batch: Batch,
  { operator }: Pick<Deps, "operator">,
): NotLanded {
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

/** Moves the heads back to the approved commits after a landing that did not happen. Until that is done, the landing stays unresolved. */
async function restoreHeads(
  batch: Batch,
  pass: TrainPass,
  deps: Pick<Deps, "git" | "github" | "log">,
): Promise<void> {
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
