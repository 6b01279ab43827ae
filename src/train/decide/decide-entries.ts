import type { PullRequest } from "../../domain/board.ts";
import type { Change } from "../../domain/change.ts";
import { leadingRun } from "../../domain/explore/contenders.ts";
import type { Entry } from "../../domain/entry.ts";
import { entryId, sha } from "../../domain/ids.ts";
import type { Instant, Sha } from "../../domain/ids.ts";
import { approversOf, hasApprovals, isApproved } from "../../domain/pull-review.ts";
import type { Task } from "../../domain/task.ts";
import type { TrainAction } from "../queue/action.ts";
import { OUT_OF_BATCH, entryMoved, taskMoved } from "../queue/entry-changes.ts";
import type { TrainSnapshot } from "../queue/snapshot.ts";
import { findObstacle } from "./decide-readiness.ts";
import { refusedUntil } from "./pauses.ts";

/** Looks up our pull requests that are not open in the reading: someone else merged or closed them, or the reading is behind. */
export function decideGonePulls(
  snapshot: TrainSnapshot,
  open: readonly Entry[],
): readonly TrainAction[] {
  return snapshot.tasks.flatMap((task): readonly TrainAction[] => {
    const entry = open.find((candidate) => candidate.task === task.id);
    if (task.state !== "review" && task.state !== "queued") return [];
    if (task.pull === undefined || entry?.state === "landing") return [];
    if (snapshot.reading.readAt <= task.changedAt) return [];
    if (pullOf(task, snapshot) !== undefined) return [];
    return [{ kind: "look-up-pull", task, entry }];
  });
}

export interface Drop {
  readonly entry: Entry["id"];
  readonly changes: readonly Change[];
}

/** A new head, a withdrawn approval or a draft ends the entry: the old head never lands. */
export function decideDrop(entry: Entry, snapshot: TrainSnapshot): readonly Drop[] {
  if (entry.state === "landing") return [];
  const task = snapshot.tasks.find((candidate) => candidate.id === entry.task);
  const reason =
    task?.state === "queued" ? unwantedBecause(entry, task, snapshot) : "its task left the train";
  if (reason === undefined) return [];
  const move = { reason, at: snapshot.now };
  const ended = entryMoved(entry, "superseded", { ...move, set: OUT_OF_BATCH });
  const back = task?.state === "queued" ? [taskMoved(task, "review", move)] : [];
  return [{ entry: entry.id, changes: [ended, ...back] }];
}

function unwantedBecause(entry: Entry, task: Task, snapshot: TrainSnapshot): string | undefined {
  // The base was renamed, or the configuration names another: what is approved enters the train of the new base.
  if (entry.base !== snapshot.base) return `the base branch is ${snapshot.base} now`;
  return changedBecause(entry, pullOf(task, snapshot), snapshot);
}

function changedBecause(
  entry: Entry,
  pull: PullRequest | undefined,
  snapshot: TrainSnapshot,
): string | undefined {
  // A pull request that is not in the reading is looked up first. Nobody can withdraw an entry that has no pull request.
  if (pull === undefined || entry.pull === undefined) return undefined;
  if (pull.head !== entry.head) {
    // The reading may be from a failed landing, when the head was at a commit of ours. Nothing lands before a newer reading.
    const isOld = snapshot.reading.readAt <= entry.changedAt;
    return isOld ? undefined : `#${pull.number} has new commits since it was approved`;
  }
  if (pull.draft) return `#${pull.number} was made a draft`;
  if (pull.base !== snapshot.base) return `#${pull.number} no longer targets ${snapshot.base}`;
  if (!hasApprovals(pull, snapshot.policy)) return `the approval of #${pull.number} was withdrawn`;
  // The checks of what is in the train are read right before it lands.
  return snapshot.readiness.has(pull.number) ? findObstacle(pull, snapshot)?.reason : undefined;
}

export function decideEnqueued(snapshot: TrainSnapshot, open: readonly Entry[]): readonly Change[] {
  return snapshot.tasks.flatMap((task) => {
    if (task.state !== "review" || open.some((entry) => entry.task === task.id)) return [];
    if (refusedUntil(task, snapshot) > snapshot.now) return [];
    return task.pull === undefined ? enqueueCommit(task, snapshot) : enqueuePull(task, snapshot);
  });
}

function enqueuePull(task: Task, snapshot: TrainSnapshot): readonly Change[] {
  const pull = pullOf(task, snapshot);
  if (pull === undefined || isOutdated(pull, task, snapshot)) return [];
  if (!mayLand(pull, snapshot)) return explainReview(task, pull, snapshot);
  const obstacle = findObstacle(pull, snapshot);
  if (obstacle !== undefined)
    return isAnswering(task, snapshot) ? [] : explained(task, obstacle.reason, snapshot.now);
  const approvedBy = approversOf(pull, snapshot.policy);
  const reason = `approved by ${approvedBy.join(", ")}`;
  return enqueue(task, { head: sha(pull.head), approvedBy, reason }, snapshot);
}

/** Whoever waits with an answer to a review or a failed check has said so, and until when. */
function isAnswering({ notBefore, rework }: Task, { now }: TrainSnapshot): boolean {
  return rework !== undefined || (notBefore !== undefined && notBefore > now);
}

/** Where changes land without pull requests, a run that succeeded is enough. */
function enqueueCommit(task: Task, snapshot: TrainSnapshot): readonly Change[] {
  const outcome = leadingRun(task.id, snapshot.runs)?.outcome;
  if (snapshot.policy.land !== "commit" || outcome?.kind !== "succeeded") return [];
  const reason = "its change is ready to land";
  return enqueue(task, { head: outcome.head, approvedBy: [], reason }, snapshot);
}

function mayLand(pull: PullRequest, snapshot: TrainSnapshot): boolean {
  const { policy, base } = snapshot;
  return isApproved(pull, policy) && !pull.draft && pull.base === base;
}

/** An older reading may still show the approval of a head that a later run has replaced. */
function isOutdated(pull: PullRequest, task: Task, { reading, runs }: TrainSnapshot): boolean {
  const run = leadingRun(task.id, runs);
  // A task that was found again after the store was lost has no run yet: the reading is all that is known of it.
  if (run === undefined || reading.readAt > task.changedAt) return false;
  return run.outcome?.kind !== "succeeded" || run.outcome.head !== pull.head;
}

interface Approved {
  readonly head: Sha;
  readonly approvedBy: readonly string[];
  readonly reason: string;
}

function enqueue(task: Task, approved: Approved, snapshot: TrainSnapshot): readonly Change[] {
  const { repo, base, now, policy } = snapshot;
  if (!policy.verifiable) {
    const name = task.pull === undefined ? "it" : `#${task.pull}`;
    const reason = `${name} is approved, but nothing verifies it: set verify, or allowUnverified, in .github/wavetrain.yml`;
    return explained(task, reason, now);
  }
  const entry: Entry = {
    id: entryId(`${task.id}@${approved.head}@${now}`),
    repo,
    base,
    task: task.id,
    pull: task.pull,
    ...approved,
    state: "queued",
    batch: undefined,
    place: undefined,
    candidate: undefined,
    evidence: undefined,
    notBefore: undefined,
    refusedUnder: undefined,
    landedSha: undefined,
    enqueuedAt: now,
    changedAt: now,
  };
  const moved = taskMoved(task, "queued", { reason: approved.reason, at: now });
  return [{ kind: "entry-added", entry }, moved];
}

function explainReview(task: Task, pull: PullRequest, snapshot: TrainSnapshot): readonly Change[] {
  if (pull.review === "changes-requested") {
    // Whoever waits with an answer has said so, and until when.
    if (task.notBefore !== undefined && task.notBefore > snapshot.now) return [];
    const reason = isAnswered(pull, task, snapshot)
      ? `#${pull.number} waits for another review: the changes that were requested are made`
      : `changes are requested on #${pull.number}`;
    return explained(task, reason, snapshot.now);
  }
  const { approvals } = snapshot.policy;
  if (pull.review === "approved" && pull.base !== snapshot.base) {
    const reason = `#${pull.number} targets ${pull.base}, not ${snapshot.base}`;
    return explained(task, reason, snapshot.now);
  }
  const has = approversOf(pull, snapshot.policy).length;
  if (pull.review !== "approved" || has >= approvals) return [];
  const bots =
    pull.approvedByBots.length > 0 ? "; a bot's counts only if train.approvingBots names it" : "";
  const reason = `#${pull.number} has ${has} of ${approvals} approvals${bots}`;
  return explained(task, reason, snapshot.now);
}

/** GitHub says that changes are requested until the reviewer has looked again. */
function isAnswered({ head }: PullRequest, task: Task, { runs }: TrainSnapshot): boolean {
  const run = leadingRun(task.id, runs);
  if (run?.rework?.kind !== "review" || task.rework !== undefined) return false;
  return run.outcome?.kind === "succeeded" && run.outcome.head === head;
}

function explained(task: Task, reason: string, at: Instant): readonly Change[] {
  if (task.reason === reason) return [];
  return [{ kind: "task-explained", task: task.id, reason, wave: task.wave, at }];
}

function pullOf(task: Task, { reading }: TrainSnapshot): PullRequest | undefined {
  if (task.pull === undefined) return undefined;
  return reading.pulls.find((pull) => pull.number === task.pull);
}
