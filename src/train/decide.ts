import type { PullRequest, RepoReading } from "../domain/board.ts";
import { leadingRun } from "../domain/candidates.ts";
import type { Change } from "../domain/change.ts";
import { isOpenEntry } from "../domain/entry.ts";
import type { Entry } from "../domain/entry.ts";
import { entryId, instant, sha } from "../domain/ids.ts";
import type { Instant, RepoName } from "../domain/ids.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import { assertNever } from "../shared/assert-never.ts";
import { pauseEnd, refusedUntil, returnedUntil } from "./pauses.ts";
import type { TrainPause } from "./pauses.ts";

export interface TrainSnapshot {
  readonly repo: RepoName;
  readonly base: string;
  readonly now: Instant;
  readonly reading: RepoReading;
  readonly tasks: readonly Task[];
  readonly entries: readonly Entry[];
  readonly runs: readonly Run[];
  /** Whether anything would verify a candidate: without it nothing lands. */
  readonly verifiable: boolean;
  /** Between two tries of the same change. */
  readonly pause: TrainPause;
}

export interface TrainDecision {
  readonly commands: readonly TrainCommand[];
  /** When to look again without any news: a pause is over. */
  readonly again: Instant | undefined;
}

export type TrainCommand =
  | { readonly kind: "record"; readonly changes: readonly Change[] }
  | { readonly kind: "verify"; readonly entry: Entry }
  | {
      readonly kind: "land" | "settle";
      readonly entry: Entry;
      readonly task: Task;
      /** The run that made the change. */
      readonly run: Run | undefined;
      /** Another open pull request targets this branch: deleting it would close that one. */
      readonly keepBranch: boolean;
    }
  | { readonly kind: "read-again"; readonly reason: string }
  | { readonly kind: "look-up-pull"; readonly task: Task; readonly entry: Entry | undefined };

/** One step of the train of one base branch: at most one entry is verified or landed at a time. */
export function decide(snapshot: TrainSnapshot): TrainDecision {
  const open = snapshot.entries.filter((entry) => isOpenEntry(entry.state));
  const dropped = open.flatMap((entry) => dropIfUnwanted(entry, snapshot));
  const droppedIds = new Set(dropped.map((drop) => drop.entry));
  const kept = open.filter((entry) => !droppedIds.has(entry.id));
  const commands = [
    ...gonePulls(snapshot, open),
    ...recordOf(dropped.flatMap((drop) => drop.changes)),
    ...approved(snapshot, open),
    ...advance(kept, snapshot),
  ];
  return { commands, again: pauseEnd(snapshot) };
}

function recordOf(changes: readonly Change[]): readonly TrainCommand[] {
  return changes.length === 0 ? [] : [{ kind: "record", changes }];
}

/** Pull requests of ours that are no longer open: merged or closed by someone else, or a read that is behind. */
function gonePulls(snapshot: TrainSnapshot, open: readonly Entry[]): readonly TrainCommand[] {
  return snapshot.tasks.flatMap((task): readonly TrainCommand[] => {
    const entry = open.find((candidate) => candidate.task === task.id);
    if (task.state !== "review" && task.state !== "queued") return [];
    if (entry?.state === "landing" || snapshot.reading.readAt <= task.changedAt) return [];
    if (pullOf(task, snapshot) !== undefined) return [];
    return [{ kind: "look-up-pull", task, entry }];
  });
}

interface Drop {
  readonly entry: Entry["id"];
  readonly changes: readonly Change[];
}

/** A new head, a withdrawn approval or a draft ends the entry: the old head never lands. */
function dropIfUnwanted(entry: Entry, snapshot: TrainSnapshot): readonly Drop[] {
  if (entry.state === "landing") return [];
  const task = snapshot.tasks.find((candidate) => candidate.id === entry.task);
  const pull = task === undefined ? undefined : pullOf(task, snapshot);
  const reason =
    task?.state === "queued" ? unwantedBecause(entry, pull, snapshot) : "its task left the train";
  if (reason === undefined) return [];
  const at = snapshot.now;
  const ended: Change = {
    ...{ kind: "entry-moved", entry: entry.id, from: entry.state, to: "superseded", reason, at },
    set: {},
  };
  if (task?.state !== "queued") return [{ entry: entry.id, changes: [ended] }];
  const back: Change = {
    ...{ kind: "task-moved", task: task.id, from: "queued", to: "review", reason, at },
    set: {},
  };
  return [{ entry: entry.id, changes: [ended, back] }];
}

function unwantedBecause(
  entry: Entry,
  pull: PullRequest | undefined,
  snapshot: TrainSnapshot,
): string | undefined {
  // A pull request that is not in the reading is looked up first.
  if (pull === undefined) return undefined;
  if (pull.head !== entry.head) return `#${pull.number} has new commits since it was approved`;
  if (pull.draft) return `#${pull.number} was made a draft`;
  if (pull.base !== snapshot.base) return `#${pull.number} no longer targets ${snapshot.base}`;
  if (pull.review !== "approved") return `the approval of #${pull.number} was withdrawn`;
  return undefined;
}

function approved(snapshot: TrainSnapshot, open: readonly Entry[]): readonly TrainCommand[] {
  const changes = snapshot.tasks.flatMap((task) => {
    const pull = pullOf(task, snapshot);
    if (task.state !== "review" || pull === undefined) return [];
    if (isOutdated(pull, task, snapshot)) return [];
    if (open.some((entry) => entry.task === task.id)) return [];
    if (refusedUntil(task, snapshot) > snapshot.now) return [];
    return mayLand(pull, snapshot)
      ? enqueue(task, pull, snapshot)
      : explainReview(task, pull, snapshot);
  });
  return recordOf(changes);
}

function mayLand(pull: PullRequest, { base }: TrainSnapshot): boolean {
  const approvedNow = pull.review === "approved" && pull.approvedHead === pull.head;
  return approvedNow && !pull.draft && pull.base === base;
}

/** An older reading may still show the approval of a head that a later run has replaced. */
function isOutdated(pull: PullRequest, task: Task, { reading, runs }: TrainSnapshot): boolean {
  if (reading.readAt > task.changedAt) return false;
  const run = leadingRun(task.id, runs);
  return run?.outcome?.kind !== "succeeded" || run.outcome.head !== pull.head;
}

function enqueue(task: Task, pull: PullRequest, snapshot: TrainSnapshot): readonly Change[] {
  const { repo, base, now } = snapshot;
  if (!snapshot.verifiable) {
    const reason = `#${pull.number} is approved, but nothing verifies it: set verify, or allowUnverified, in .github/wavetrain.yml`;
    return explained(task, reason, now);
  }
  const reason = `approved by ${pull.approvedBy.join(", ")}`;
  const entry: Entry = {
    id: entryId(`${task.id}@${pull.head}@${now}`),
    repo,
    base,
    task: task.id,
    pull: pull.number,
    head: sha(pull.head),
    approvedBy: pull.approvedBy,
    state: "queued",
    reason,
    evidence: undefined,
    landedSha: undefined,
    enqueuedAt: now,
    changedAt: now,
  };
  const moved: Change = {
    ...{ kind: "task-moved", task: task.id, from: "review", to: "queued", reason, at: now },
    set: {},
  };
  return [{ kind: "entry-added", entry }, moved];
}

function explainReview(task: Task, pull: PullRequest, snapshot: TrainSnapshot): readonly Change[] {
  if (pull.review === "changes-requested") {
    return explained(task, `changes are requested on #${pull.number}`, snapshot.now);
  }
  return [];
}

function explained(task: Task, reason: string, at: Instant): readonly Change[] {
  if (task.reason === reason) return [];
  return [{ kind: "task-explained", task: task.id, reason, wave: task.wave, at }];
}

function advance(open: readonly Entry[], snapshot: TrainSnapshot): readonly TrainCommand[] {
  const inOrder = open.toSorted((a, b) => a.enqueuedAt - b.enqueuedAt || a.pull - b.pull);
  const entry =
    inOrder.find((candidate) => candidate.state !== "queued") ??
    inOrder.find((candidate) => returnedUntil(candidate, snapshot) <= snapshot.now);
  const task = snapshot.tasks.find((candidate) => candidate.id === entry?.task);
  if (entry === undefined || task === undefined) return [];
  const run = leadingRun(task.id, snapshot.runs);
  const keepBranch = snapshot.reading.pulls.some((pull) => pull.base === task.branch);
  switch (entry.state) {
    case "queued":
      return startVerifying(entry, snapshot);
    case "verifying":
      return [{ kind: "verify", entry }];
    case "verified":
      // Approval and head are read again after verification: it may have taken an hour.
      return snapshot.reading.readAt > entry.changedAt
        ? [{ kind: "land", entry, task, run, keepBranch }]
        : [{ kind: "read-again", reason: `#${entry.pull} is verified` }];
    case "landing":
      return [{ kind: "settle", entry, task, run, keepBranch }];
    case "landed":
    case "rejected":
    case "superseded":
      return [];
    default:
      return assertNever(entry.state);
  }
}

function startVerifying(entry: Entry, snapshot: TrainSnapshot): readonly TrainCommand[] {
  const at = instant(snapshot.now);
  const reason = `verifying #${entry.pull} on top of ${entry.base}`;
  const change: Change = {
    ...{ kind: "entry-moved", entry: entry.id, from: "queued", to: "verifying", reason, at },
    set: {},
  };
  return [
    { kind: "record", changes: [change] },
    { kind: "verify", entry: { ...entry, state: "verifying", reason, changedAt: at } },
  ];
}

function pullOf(task: Task, snapshot: TrainSnapshot): PullRequest | undefined {
  if (task.pull === undefined) return undefined;
  return snapshot.reading.pulls.find((pull) => pull.number === task.pull);
}
