import type { Deps } from "../deps.ts";
import type { Change } from "../domain/change.ts";
import type { Entry } from "../domain/entry.ts";
import { instant } from "../domain/ids.ts";
import type { Instant } from "../domain/ids.ts";
import type { PullFacts } from "../ports/github.ts";
import { AppError } from "../shared/app-error.ts";
import { assertNever } from "../shared/assert-never.ts";
import { auditMerged } from "./audit.ts";
import type { Batch } from "./batch.ts";
import { buildBatch } from "./build-batch.ts";
import { candidateIsHere } from "./candidate-is-here.ts";
import type { TrainCommand } from "./command.ts";
import { haltedBy, landedEntry } from "./decide-landing.ts";
import { OUT_OF_BATCH, entryMoved, taskMoved } from "./entry-changes.ts";
import { finishLandings } from "./finish-landing.ts";
import { land } from "./land.ts";
import { enqueueNatively, followNativeQueue } from "./native-queue.ts";
import { settleLanding } from "./settle-landing.ts";
import type { TrainPass } from "./train-pass.ts";
import { recordUnder } from "./with-merge-lock.ts";

/**
 * Carries out the train's commands in order. Each can be repeated: the store refuses a change whose time has passed. Whether there
 * is something new to decide on, for the others too.
 */
export async function apply(
  commands: readonly TrainCommand[],
  pass: TrainPass,
  deps: Deps,
): Promise<boolean> {
  let changed = false;
  for (const command of commands) {
    if (!(await sayingWhy(command, pass, deps))) continue;
    changed = true;
    deps.wake(pass.context.repo, "we-changed");
  }
  return changed;
}

/** What the budget of writes holds back goes on later, and says so until then. */
async function sayingWhy(command: TrainCommand, pass: TrainPass, deps: Deps): Promise<boolean> {
  try {
    return await applyOne(command, pass, deps);
  } catch (error) {
    const waiting = waitingFor(command);
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

function waitingFor(command: TrainCommand): readonly Entry[] {
  if (command.kind === "land") return command.batch.entries;
  return command.kind === "enqueue-natively" ? [command.entry] : [];
}

/** Whether there is something new to decide on. */
async function applyOne(command: TrainCommand, pass: TrainPass, deps: Deps): Promise<boolean> {
  const { context } = pass;
  switch (command.kind) {
    case "record":
      await recordUnder(pass.lock, { repo: context.repo, changes: command.changes }, deps);
      return true;
    case "build":
      return buildBatch(command, pass, deps);
    case "verify":
      return verifyHere(command.batch, pass, deps);
    case "verify-base":
      deps.background.startVerification(context, { kind: "base", ...command.tip });
      return false;
    case "stop-verification":
      deps.background.stopVerification(command.commit);
      return false;
    case "land":
      return landHere(command.batch, pass, deps);
    case "settle":
      await settleLanding({ batch: command.batch, outcome: undefined }, pass, deps);
      return true;
    case "enqueue-natively":
      await enqueueNatively(command.entry, pass, deps);
      return true;
    case "follow-native-queue":
      return followNativeQueue(command.entries, pass, deps);
    case "finish-landings":
      return finishLandings(command.landings, pass, deps);
    case "read-again":
      deps.wake(context.repo, "github-changed");
      return false;
    case "look-up-pull":
      return lookUpPull(command, pass, deps);
    default:
      return assertNever(command);
  }
}

async function verifyHere(batch: Batch, pass: TrainPass, deps: Deps): Promise<boolean> {
  if (!(await candidateIsHere(batch, pass.context, deps))) return buildAnew(batch, pass, deps);
  deps.background.startVerification(pass.context, { kind: "batch", batch });
  return false;
}

async function landHere(batch: Batch, pass: TrainPass, deps: Deps): Promise<boolean> {
  if (!(await candidateIsHere(batch, pass.context, deps))) return buildAnew(batch, pass, deps);
  await land(batch, pass, deps);
  return true;
}

/** What another host built is built anew: that is deterministic, and verdicts count for trees, so it costs no verification. */
async function buildAnew({ entries }: Batch, pass: TrainPass, deps: Deps): Promise<boolean> {
  const reason = "its candidate is not on this host: it is built anew";
  const move = { reason, at: deps.clock.now(), set: OUT_OF_BATCH };
  const changes = entries.map((entry) => entryMoved(entry, "queued", move));
  await recordUnder(pass.lock, { repo: pass.context.repo, changes }, deps);
  return true;
}

type Gone = Extract<TrainCommand, { kind: "look-up-pull" }>;

/** Someone merged or closed the pull request without us. */
async function lookUpPull(gone: Gone, pass: TrainPass, deps: Deps): Promise<boolean> {
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

/** What GitHub's queue merged is held to the same identity; undefined: it is as it should be. */
async function auditOthers(
  { mergedAs, head }: PullFacts,
  { context, policy }: TrainPass,
  deps: Deps,
): Promise<string | undefined> {
  if (mergedAs === undefined || policy.landing !== "merge-queue") return undefined;
  return auditMerged({ commit: mergedAs, head }, context, deps);
}
