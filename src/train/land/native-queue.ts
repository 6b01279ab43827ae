import type { Change } from "../../domain/change.ts";
import type { Entry } from "../../domain/entry.ts";
import { instant } from "../../domain/ids.ts";
import type { Instant } from "../../domain/ids.ts";
import type { Deps } from "../../ports/deps.ts";
import type { RefsOutcome } from "../../ports/github.ts";
import { publishCheckText } from "../../report/publish/publish-check.ts";
import type { TrainPass } from "../queue/action.ts";
import { entryMoved, taskMoved } from "../queue/entry-changes.ts";
import { FOR_WORKFLOWS, circumstances } from "../queue/policy.ts";
import { recordUnder } from "../queue/with-merge-lock.ts";
import { auditMerged } from "./audit.ts";
import { haltedBy, landedEntry, refusalWords } from "./decide-landing.ts";

/** Hands the entry over to GitHub's own queue. Doing so twice is harmless. */
export async function enqueueNatively(
  entry: Entry,
  pass: TrainPass,
  deps: Pick<Deps, "clock" | "github" | "log" | "operator" | "publishing" | "store">,
): Promise<void> {
  const { repo } = pass.context;
  if (entry.pull === undefined) return;
  await publishReady(entry, pass, deps);
  const request = { repo, pull: entry.pull, head: entry.head };
  const outcome = await deps.github.enqueuePullRequest(pass.lock, request);
  const at = deps.clock.now();
  const changes = afterHandover({ entry, outcome, at }, pass, deps);
  await recordUnder(pass.lock, { repo, changes }, deps);
}

function afterHandover(
  { entry, outcome, at }: Handover,
  { tasks, tip, policy }: TrainPass,
  { operator }: Pick<Deps, "operator">,
): readonly Change[] {
  if (outcome.kind === "moved") {
    return [entryMoved(entry, "verifying", { reason: "in GitHub's merge queue", at })];
  }
  if (outcome.kind !== "refused") {
    const reason = `GitHub's merge queue: ${outcome.reason}`;
    const set = { notBefore: instant(at + operator.retry.backoff) };
    return [entryMoved(entry, "queued", { reason, at, set })];
  }
  const reason = refusalWords(outcome.reason);
  const { approvedBy } = entry;
  const refusedUnder =
    outcome.workflows === true
      ? FOR_WORKFLOWS
      : circumstances({ base: tip?.commit, policy, approvedBy });
  const task = tasks.find(({ id }) => id === entry.task);
  const back = task?.state === "queued" ? [taskMoved(task, "review", { reason, at })] : [];
  return [entryMoved(entry, "rejected", { reason, at, set: { refusedUnder } }), ...back];
}

interface Handover {
  readonly entry: Entry;
  readonly outcome: RefsOutcome;
  readonly at: Instant;
}

/** A rule that asks for our check also asks it of the pull request, before GitHub's queue takes it. */
async function publishReady(
  entry: Entry,
  { context }: TrainPass,
  deps: Pick<Deps, "clock" | "github" | "log" | "publishing" | "store">,
): Promise<void> {
  const text = {
    status: "success",
    title: "Ready for the merge queue",
    summary: "The merge queue asks again, for the commit that it is going to land.",
  } as const;
  await publishCheckText(context, { task: entry.task, head: entry.head, text }, deps);
}

/** Verifies the groups that wait for us, and learns what became of entries that were handed over. Returns whether anything changed. */
export async function followNativeQueue(
  entries: readonly Entry[],
  pass: TrainPass,
  deps: Pick<Deps, "background" | "clock" | "git" | "github" | "log" | "store">,
): Promise<boolean> {
  const { context } = pass;
  const groups = await deps.github.mergeQueue(context.repo, context.base);
  if (context.config.verify !== undefined) {
    for (const { head, waitsForChecks } of groups) {
      if (head === undefined || !waitsForChecks) continue;
      await deps.git.fetchCommit(context.repo, head);
      deps.background.startVerification(context, { kind: "group", commit: head });
    }
  }
  let changed = false;
  for (const entry of entries) {
    if (groups.some(({ pull }) => pull === entry.pull)) continue;
    const changes = await whatBecameOf(entry, pass, deps);
    if (changes.length > 0) await recordUnder(pass.lock, { repo: context.repo, changes }, deps);
    changed ||= changes.length > 0;
  }
  return changed;
}

async function whatBecameOf(
  entry: Entry,
  pass: TrainPass,
  deps: Pick<Deps, "clock" | "git" | "github" | "log">,
): Promise<readonly Change[]> {
  const { context, tasks, train } = pass;
  if (entry.pull === undefined) return [];
  const { state, mergedAs, inMergeQueue } = await deps.github.pullState(context.repo, entry.pull);
  const task = tasks.find(({ id }) => id === entry.task);
  const at = deps.clock.now();
  if (state === "merged" && mergedAs !== undefined) {
    const breach = await auditMerged({ commit: mergedAs, head: entry.head }, context, deps);
    const halt =
      breach === undefined ? [] : [haltedBy(train, "integrity-breach", { reason: breach, at })];
    return [...landedEntry({ entry, task, breach }, mergedAs, at), ...halt];
  }
  if (state !== "open" || inMergeQueue) return [];
  const reason = `GitHub's merge queue sent #${entry.pull} back`;
  const back = task?.state === "queued" ? [taskMoved(task, "review", { reason, at })] : [];
  return [entryMoved(entry, "rejected", { reason, at }), ...back];
}
