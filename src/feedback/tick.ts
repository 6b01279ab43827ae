import { isDeepStrictEqual } from "node:util";
import type { RepoReading } from "../domain/board.ts";
import type { Change } from "../domain/change.ts";
import { soonest } from "../domain/ids.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import type { AskedRework, Task } from "../domain/task.ts";
import type { Deps, RepoContext } from "../ports/deps.ts";
import type { RepoMemory } from "../ports/store.ts";
import { decideFeedback, overLimit } from "./decide-feedback.ts";
import type { FeedbackSnapshot, Wait } from "./decide-feedback.ts";
import { readRework } from "./read-rework.ts";
import type { Look } from "./read-rework.ts";

export interface FeedbackPass {
  /** Nothing was found for these tasks; the number is the time of the reading that was used. */
  readonly checkedWithoutResult: ReadonlyMap<TaskId, number>;
  readonly again: Instant | undefined;
  /** Is true if something was written to the store. */
  readonly wrote: boolean;
}

export interface FeedbackSeen extends Pick<FeedbackPass, "checkedWithoutResult"> {
  readonly reading: RepoReading;
  readonly stored: RepoMemory;
}

export type FeedbackDeps = Pick<Deps, "botLogin" | "clock" | "github" | "store" | "wake">;

/** This was found out about one task in review. */
type Found =
  | { readonly kind: "none" | "checked-without-result" }
  | Wait
  | { readonly kind: "give-up"; readonly reason: string }
  | { readonly kind: "rework"; readonly rework: AskedRework };

const NONE: Found = { kind: "none" };

/** Finds what people and checks said about our pull requests since their last run. It costs no call while nobody asks for anything. */
export async function tick(
  context: RepoContext,
  seen: FeedbackSeen,
  deps: FeedbackDeps,
): Promise<FeedbackPass> {
  const checkedWithoutResult = new Map<TaskId, number>();
  let again: Instant | undefined;
  let wrote = false;
  for (const snapshot of snapshotsOf(context, seen, deps)) {
    const { task, readAt } = snapshot;
    const found = await findFeedback(snapshot, { context, seen }, deps);
    if (found.kind === "checked-without-result") checkedWithoutResult.set(task.id, readAt);
    if (found.kind === "wait") again = soonest(again, found.until);
    const changes = [explained(found, snapshot), changeAfter(found, snapshot)].filter(isChange);
    if (changes.length === 0) continue;
    await deps.store.record(context.repo, changes);
    wrote = true;
  }
  return { checkedWithoutResult, again, wrote };
}

function snapshotsOf(
  { config }: RepoContext,
  { stored, reading }: FeedbackSeen,
  { clock }: Pick<Deps, "clock">,
): readonly FeedbackSnapshot[] {
  const inReview = stored.tasks.filter(({ state }) => state === "review");
  return inReview.map((task) => ({
    task,
    pull: reading.pulls.find(({ number }) => number === task.pull),
    now: clock.now(),
    readAt: reading.readAt,
    runs: stored.runs.filter((run) => run.task === task.id),
    feedback: config.feedback,
  }));
}

interface Surroundings {
  readonly context: RepoContext;
  readonly seen: FeedbackSeen;
}

async function findFeedback(
  snapshot: FeedbackSnapshot,
  { context, seen }: Surroundings,
  deps: FeedbackDeps,
): Promise<Found> {
  const decision = decideFeedback(snapshot);
  switch (decision.kind) {
    case "none":
      return NONE;
    case "read-again":
      deps.wake(context.repo, "github-changed");
      return NONE;
    case "wait":
    case "give-up":
      return decision;
    case "look":
      return lookFor(decision, snapshot, { context, seen, deps });
  }
}

async function lookFor(
  look: Look,
  snapshot: FeedbackSnapshot,
  { context, seen, deps }: Surroundings & { readonly deps: FeedbackDeps },
): Promise<Found> {
  const { task, readAt } = snapshot;
  if (seen.checkedWithoutResult.get(task.id) === readAt) return { kind: "checked-without-result" };
  const known = knownRework(look, task);
  const found = known ?? (await readRework(look, { context, snapshot }, deps));
  if (found === undefined) return { kind: "checked-without-result" };
  if (found.kind === "wait") return found;
  const rework = known ?? { ...found, seenAt: readAt };
  return overLimit(found.kind, snapshot) ?? { kind: "rework", rework };
}

/** Rework that waits for a slot is not read again. */
function knownRework({ at, asked }: Look, { rework }: Task): AskedRework | undefined {
  const covers = rework?.kind === at && asked.every((name) => rework.answers.includes(name));
  return covers ? rework : undefined;
}

/** Returns undefined if the store says already what was found, or knows better: another server may have a newer reading. */
function changeAfter(
  found: Found,
  { task, now: at, readAt }: FeedbackSnapshot,
): Change | undefined {
  if (found.kind === "give-up") {
    const moved = { kind: "task-moved", task: task.id, from: "review", to: "failed" } as const;
    return { ...moved, reason: found.reason, at, set: {} };
  }
  const rework = found.kind === "rework" ? found.rework : undefined;
  if (isDeepStrictEqual(rework, task.rework)) return undefined;
  if (rework === undefined && (task.rework?.seenAt ?? 0) > readAt) return undefined;
  return { kind: "rework-asked", task: task.id, rework: rework ?? null, at };
}

/** A person who asked for changes learns when a run begins with them. */
function explained(found: Found, { task, now: at }: FeedbackSnapshot): Change | undefined {
  if (found.kind !== "wait" || found.reason === undefined) return undefined;
  const { until: notBefore, reason } = found;
  if (task.reason === reason && task.notBefore === notBefore) return undefined;
  return { kind: "task-explained", task: task.id, reason, wave: task.wave, notBefore, at };
}

function isChange(change: Change | undefined): change is Change {
  return change !== undefined;
}
