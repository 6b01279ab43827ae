import type { RepoReading } from "../../domain/board.ts";
import type { Change } from "../../domain/change.ts";
import { explorationOf, explores } from "../../domain/exploration.ts";
import type { Exploration } from "../../domain/exploration.ts";
import { instant, taskIdOf } from "../../domain/ids.ts";
import type { Instant, RunId, TaskId } from "../../domain/ids.ts";
import type { Acceptance } from "../../domain/provenance.ts";
import { takenAwayBecause } from "../../domain/read-card.ts";
import type { Disregarded, ReadCard, LeavingFacts } from "../../domain/read-card.ts";
import type { Task } from "../../domain/task.ts";
import { assertNever } from "../../shared/assert-never.ts";

export interface IntakeSnapshot extends LeavingFacts {
  readonly now: Instant;
  readonly readAt: RepoReading["readAt"];
  readonly cards: readonly ReadCard[];
  readonly tasks: readonly Task[];
  /** These tasks landed too long ago to be among `tasks`: they are final all the same. */
  readonly landedBefore: ReadonlySet<TaskId>;
  /** These runs have not ended, by task. */
  readonly activeRuns: ReadonlyMap<TaskId, readonly RunId[]>;
  readonly disregarded?: ReadonlyMap<TaskId, Disregarded>;
  /** These are the explorations of the tasks. */
  readonly explorations?: readonly Exploration[];
}

export type IntakeAction =
  | { readonly kind: "record"; readonly changes: readonly Change[] }
  | { readonly kind: "cancel-run"; readonly run: RunId; readonly reason: string };

/** Compares the board with what is known: new tasks, edited ones, ones that people took away or asked for again. */
export function decideIntake(snapshot: IntakeSnapshot): readonly IntakeAction[] {
  const cards = new Map(
    snapshot.cards.map((read) => [
      read.id ?? taskIdOf(read.card.issue.repo, read.card.issue.number),
      read,
    ]),
  );
  const known = new Set([...snapshot.tasks.map((task) => task.id), ...snapshot.landedBefore]);
  const added = [...cards].flatMap(([id, read]) =>
    known.has(id) ? [] : addIfReady(id, read, snapshot.now),
  );
  const followed = snapshot.tasks.flatMap((task) => follow(task, cards.get(task.id), snapshot));
  return [...added, ...followed];
}

function record(...changes: readonly Change[]): IntakeAction {
  return { kind: "record", changes };
}

function addIfReady(id: TaskId, read: ReadCard, now: Instant): readonly IntakeAction[] {
  const { card, spec, specHash, orphan } = read;
  if (card.role !== "ready" || card.issue.state !== "open") return [];
  const isInReview = orphan?.pull !== undefined && spec.invalid === undefined;
  const task: Task = {
    id,
    repo: card.issue.repo,
    issue: card.issue.number,
    cardId: card.id,
    spec,
    specHash,
    state: isInReview ? "review" : "waiting",
    reason: orphan === undefined ? "moved to Ready" : "taken up again: the store lost its record",
    wave: undefined,
    attempts: 0,
    failures: 0,
    notBefore: undefined,
    branch: isInReview ? orphan.branch : undefined,
    pull: isInReview ? orphan.pull : undefined,
    landedSha: undefined,
    readySince: instant(card.movedAt),
    changedAt: now,
    ...NOT_ACCEPTED,
    ...(read.accepted !== undefined && acceptanceOf(read.accepted)),
  };
  return [record({ kind: "task-added", task })];
}

const NOT_ACCEPTED = {
  acceptedBy: undefined,
  acceptedAt: undefined,
  acceptedText: undefined,
  disregarded: undefined,
  strayedAt: undefined,
} as const;

function acceptanceOf({ by, at, text }: Acceptance) {
  return { acceptedBy: by, acceptedAt: instant(at), acceptedText: text };
}

function follow(
  task: Task,
  read: ReadCard | undefined,
  snapshot: IntakeSnapshot,
): readonly IntakeAction[] {
  // A reading that is older than our last change says nothing about it.
  if (snapshot.readAt <= task.changedAt) return [];
  switch (task.state) {
    case "waiting":
    case "blocked":
      return followWaiting(task, read, snapshot);
    case "running":
      return followRunning(task, read, snapshot);
    case "failed":
    case "cancelled":
      return askedAgain(task, read, snapshot.now);
    case "review":
    case "queued":
    case "landed":
      return [];
    default:
      return assertNever(task.state);
  }
}

function followWaiting(
  task: Task,
  read: ReadCard | undefined,
  snapshot: IntakeSnapshot,
): readonly IntakeAction[] {
  const { now: at } = snapshot;
  const reason = takenAwayBecause(task, read, snapshot);
  const disregarded = snapshot.disregarded?.get(task.id);
  if (reason !== undefined && disregarded?.leaving !== true)
    return [record(toCancelled(task, reason, at))];
  const held = disregarded?.held;
  // A held spec says why by itself.
  const said = held === undefined ? disregard(task, disregarded, at) : [];
  const changes = [...said, ...respecify(task, held ?? read, at)];
  return changes.length === 0 ? [] : [record(...changes)];
}

function toCancelled({ id, state: from }: Task, reason: string, at: Instant): Change {
  return { kind: "task-moved", task: id, from, to: "cancelled", reason, at, set: {} };
}

function respecify(
  task: Task,
  says: Pick<ReadCard, "spec" | "specHash" | "accepted"> | undefined,
  at: Instant,
): readonly Change[] {
  if (says === undefined || says.specHash === task.specHash) return [];
  const { spec, specHash, accepted } = says;
  return [
    { kind: "task-respecified", task: task.id, spec, specHash, at },
    ...vouchedFor(task, accepted, at),
  ];
}

function vouchedFor(
  { id }: Task,
  accepted: Acceptance | undefined,
  at: Instant,
): readonly Change[] {
  if (accepted === undefined) return [];
  const set = { ...acceptanceOf(accepted), disregarded: null };
  return [{ kind: "task-vouched", task: id, set, at }];
}

/** A program that moves cards does not tire: a card is not put back again sooner than this. */
const MIN_PUT_BACK_INTERVAL_MS = 10 * 60_000;

/** The reason is said once, and the card is put back to the column of the task's state. */
function disregard(
  { id, disregarded: said, strayedAt }: Task,
  disregarded: Disregarded | undefined,
  at: Instant,
): readonly Change[] {
  if (disregarded === undefined) return [];
  const { reason, movedAt } = disregarded;
  const isStray =
    movedAt !== undefined && movedAt - (strayedAt ?? -Infinity) >= MIN_PUT_BACK_INTERVAL_MS;
  if (reason === said && !isStray) return [];
  const set = { disregarded: reason, ...(isStray && { strayedAt: instant(movedAt) }) };
  return [{ kind: "task-vouched", task: id, set, at }];
}

function followRunning(
  task: Task,
  read: ReadCard | undefined,
  snapshot: IntakeSnapshot,
): readonly IntakeAction[] {
  const reason = takenAwayBecause(task, read, snapshot);
  const disregarded = snapshot.disregarded?.get(task.id);
  if (reason === undefined || disregarded?.leaving === true) {
    const changes = disregard(task, disregarded, snapshot.now);
    return changes.length === 0 ? [] : [record(...changes)];
  }
  const runs = snapshot.activeRuns.get(task.id) ?? [];
  const cancels = runs.map((run) => ({ kind: "cancel-run", run, reason }) as const);
  return [...stopExploring(task, reason, snapshot), ...cancels];
}

/** Between two evaluations nothing runs that could be cancelled, nor while the run that opens it waits to be tried again. */
function stopExploring(
  task: Task,
  why: string,
  { explorations = [], activeRuns, now: at }: IntakeSnapshot,
): readonly IntakeAction[] {
  const exploration = explorationOf(task, explorations);
  if (exploration === undefined) {
    const isIdle = (activeRuns.get(task.id) ?? []).length === 0;
    return isIdle && explores(task.spec) ? [record(toCancelled(task, why, at))] : [];
  }
  if (exploration.state !== "exploring" || exploration.stop?.keep === false) return [];
  const { id, changedAt: unchangedSince } = exploration;
  const moved = { kind: "exploration-moved", exploration: id, from: "exploring", at } as const;
  const set = { stop: { why, keep: false } };
  return [record({ ...moved, to: "exploring", unchangedSince, set })];
}

/** Only a move to Ready that is newer than the last request asks again: no move counts twice, and none outlives a command. */
function askedAgain(task: Task, read: ReadCard | undefined, at: Instant): readonly IntakeAction[] {
  if (read?.card.role !== "ready" || read.card.issue.state !== "open") return [];
  const readySince = instant(read.card.movedAt);
  if (readySince <= task.readySince) return [];
  const { spec, specHash, accepted } = read;
  const again = { kind: "task-moved", task: task.id, from: task.state, to: "waiting" } as const;
  const set = { failures: 0, notBefore: null, readySince, cardId: read.card.id };
  return [
    record(
      { ...again, reason: "moved to Ready again", at, set },
      { kind: "task-respecified", task: task.id, spec, specHash, at },
      ...(accepted === undefined ? nobodys(task, at) : vouchedFor(task, accepted, at)),
    ),
  ];
}

/** Whoever stood for it before did not ask for it again. */
function nobodys({ id, acceptedBy }: Task, at: Instant): readonly Change[] {
  if (acceptedBy === undefined) return [];
  return [{ kind: "task-vouched", task: id, set: { acceptedBy: null }, at }];
}
