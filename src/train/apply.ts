import type { Change } from "../domain/change.ts";
import type { Batch, Entry } from "../domain/entry.ts";
import { instant } from "../domain/ids.ts";
import type { Instant } from "../domain/ids.ts";
import type { Deps } from "../ports/deps.ts";
import type { PullFacts } from "../ports/github.ts";
import { AppError } from "../shared/app-error.ts";
import { assertNever } from "../shared/assert-never.ts";
import { buildBatch, candidateIsHere } from "./build-batch.ts";
import { auditMerged } from "./land/audit.ts";
import { haltedBy, landedEntry } from "./land/decide-landing.ts";
import { finishLandings } from "./land/finish-landing.ts";
import { land } from "./land/land.ts";
import { enqueueNatively, followNativeQueue } from "./land/native-queue.ts";
import { resolveLanding } from "./land/resolve-landing.ts";
import type { TrainAction, TrainPass } from "./queue/action.ts";
import { OUT_OF_BATCH, entryMoved, taskMoved } from "./queue/entry-changes.ts";
import type { TrainDeps } from "./queue/train-deps.ts";
import { recordUnder } from "./queue/with-merge-lock.ts";

/**
 * Carries out the train's actions in order. Each can be repeated: the store refuses a change that comes too late. It returns whether
 * there is something new to decide on; if so, the other stages are woken too.
 */
export async function apply(
  actions: readonly TrainAction[],
  pass: TrainPass,
  deps: TrainDeps,
): Promise<boolean> {
  let changed = false;
  for (const action of actions) {
    if (!(await applyOrPostpone(action, pass, deps))) continue;
    changed = true;
    deps.wake(pass.context.repo, "we-changed");
  }
  return changed;
}

/** An action that the budget of writes holds back is tried again later, and its entries say so until then. */
async function applyOrPostpone(
  action: TrainAction,
  pass: TrainPass,
  deps: TrainDeps,
): Promise<boolean> {
  try {
    return await applyOne(action, pass, deps);
  } catch (error) {
    const waiting = waitingFor(action);
    const held = error instanceof AppError && error.code === "github-rate-limited";
    if (!held || waiting.length === 0) throw error;
    const at = deps.clock.now();
    const set = { ...OUT_OF_BATCH, notBefore: instant(at + deps.operator.retry.backoff) };
    const move = { reason: error.message, at, set };
    const changes = waiting.map((entry) => entryMoved(entry, "queued", move));
    await recordUnder(pass.lock, { repo: pass.context.repo, changes }, deps);
    return true;
  }
}

function waitingFor(action: TrainAction): readonly Entry[] {
  if (action.kind === "land") return action.batch.entries;
  return action.kind === "enqueue-natively" ? [action.entry] : [];
}

/** Returns whether there is something new to decide on. */
async function applyOne(action: TrainAction, pass: TrainPass, deps: TrainDeps): Promise<boolean> {
  const { context } = pass;
  switch (action.kind) {
    case "record":
      await recordUnder(pass.lock, { repo: context.repo, changes: action.changes }, deps);
      return true;
    case "build":
      return buildBatch(action, pass, deps);
    case "verify":
      return verifyHere(action.batch, pass, deps);
    case "verify-base":
      deps.background.startVerification(context, { kind: "base", ...action.tip });
      return false;
    case "stop-verification":
      deps.background.stopVerification(action.commit);
      return false;
    case "land":
      return landHere(action.batch, pass, deps);
    case "resolve-landing":
      await resolveLanding({ batch: action.batch, outcome: undefined }, pass, deps);
      return true;
    case "enqueue-natively":
      await enqueueNatively(action.entry, pass, deps);
      return true;
    case "follow-native-queue":
      return followNativeQueue(action.entries, pass, deps);
    case "finish-landings":
      return finishLandings(action.landings, pass, deps);
    case "read-again":
      deps.wake(context.repo, "github-changed");
      return false;
    case "look-up-pull":
      return lookUpPull(action, pass, deps);
    default:
      return assertNever(action);
  }
}

async function verifyHere(
  batch: Batch,
  pass: TrainPass,
  deps: Pick<Deps, "background" | "clock" | "git" | "store">,
): Promise<boolean> {
  if (!(await candidateIsHere(batch, pass.context, deps))) return buildAnew(batch, pass, deps);
  deps.background.startVerification(pass.context, { kind: "batch", batch });
  return false;
}

async function landHere(batch: Batch, pass: TrainPass, deps: TrainDeps): Promise<boolean> {
  if (!(await candidateIsHere(batch, pass.context, deps))) return buildAnew(batch, pass, deps);
  await land(batch, pass, deps);
  return true;
}

/** A candidate of another host is built anew. Building is deterministic and verdicts count for trees, so this costs no verification. */
async function buildAnew(
  { entries }: Batch,
  pass: TrainPass,
  deps: Pick<Deps, "clock" | "store">,
): Promise<boolean> {
  const reason = "its candidate is not on this host: it is built anew";
  const move = { reason, at: deps.clock.now(), set: OUT_OF_BATCH };
  const changes = entries.map((entry) => entryMoved(entry, "queued", move));
  await recordUnder(pass.lock, { repo: pass.context.repo, changes }, deps);
  return true;
}

type Gone = Extract<TrainAction, { kind: "look-up-pull" }>;

/** Someone merged or closed the pull request without us. */
async function lookUpPull(
  gone: Gone,
  pass: TrainPass,
  deps: Pick<Deps, "clock" | "git" | "github" | "log" | "store">,
): Promise<boolean> {
  const { repo } = pass.context;
  const { task } = gone;
  if (task.pull === undefined) return false;
  const pull = await deps.github.pullState(repo, task.pull);
  if (pull.state === "open") return false;
  const at = deps.clock.now();
  const breach = await auditOthers(pull, pass, deps);
  const changes = [
    ...endedElsewhere({ ...gone, breach }, pull, at),
    ...(breach === undefined
      ? []
      : [haltedBy(pass.train, "integrity-breach", { reason: breach, at })]),
  ];
  await recordUnder(pass.lock, { repo, changes }, deps);
  return true;
}

function endedElsewhere(
  { task, entry, breach }: Gone & { readonly breach: string | undefined },
  { state, mergedAs }: PullFacts,
  at: Instant,
): readonly Change[] {
  if (entry !== undefined && mergedAs !== undefined) {
    return landedEntry({ entry, task, breach }, mergedAs, at);
  }
  const reason = `#${task.pull ?? 0} was ${state} by someone else`;
  const to = state === "merged" ? "landed" : "cancelled";
  const move = { reason, at, set: OUT_OF_BATCH };
  const ended = entry === undefined ? [] : [entryMoved(entry, "superseded", move)];
  return [...ended, taskMoved(task, to, { reason, at })];
}

/** Audits a merge by GitHub's queue in the same way as our own landings. The result is undefined when it is as it should be. */
async function auditOthers(
  { mergedAs, head }: PullFacts,
  { context, policy }: TrainPass,
  deps: Pick<Deps, "git" | "log">,
): Promise<string | undefined> {
  if (mergedAs === undefined || policy.landing !== "merge-queue") return undefined;
  return auditMerged({ commit: mergedAs, head }, context, deps);
}
