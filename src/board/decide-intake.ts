import type { Card, ColumnRole, RepoReading } from "../domain/board.ts";
import type { Change } from "../domain/change.ts";
import { instant, taskIdOf } from "../domain/ids.ts";
import type { Instant, RunId, TaskId } from "../domain/ids.ts";
import type { Task, TaskSpec } from "../domain/task.ts";
import { assertNever } from "../shared/assert-never.ts";

/** A card with the rules read from its issue. */
export interface ReadCard {
  /** Of the task, where it is not the issue's own. */
  readonly id?: TaskId;
  readonly card: Card;
  readonly spec: TaskSpec;
  readonly specHash: string;
}

export interface IntakeSnapshot {
  readonly now: Instant;
  readonly readAt: RepoReading["readAt"];
  readonly cards: readonly ReadCard[];
  readonly tasks: readonly Task[];
  /** Tasks that landed too long ago to be among `tasks`: they are final all the same. */
  readonly landedBefore: ReadonlySet<TaskId>;
  /** Runs that have not ended, by task. */
  readonly activeRuns: ReadonlyMap<TaskId, readonly RunId[]>;
  /** Why a task that has no card any more is taken back, in other words than a board's. */
  readonly absent?: string;
  /** Roles that nothing on the board can have, because their column or label was renamed or deleted. */
  readonly renamed?: readonly ColumnRole[];
}

export type IntakeCommand =
  | { readonly kind: "record"; readonly changes: readonly Change[] }
  | { readonly kind: "cancel-run"; readonly run: RunId; readonly reason: string };

/** Holds the board against what is known: new tasks, edited ones, ones that people took away or asked for again. */
export function decideIntake(snapshot: IntakeSnapshot): readonly IntakeCommand[] {
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

function record(...changes: readonly Change[]): IntakeCommand {
  return { kind: "record", changes };
}

function addIfReady(id: TaskId, read: ReadCard, now: Instant): readonly IntakeCommand[] {
  const { card, spec, specHash } = read;
  if (card.role !== "ready" || card.issue.state !== "open") return [];
  const task: Task = {
    id,
    repo: card.issue.repo,
    issue: card.issue.number,
    cardId: card.id,
    spec,
    specHash,
    state: "waiting",
    reason: "moved to Ready",
    wave: undefined,
    attempts: 0,
    failures: 0,
    notBefore: undefined,
    branch: undefined,
    pull: undefined,
    landedSha: undefined,
    readySince: instant(card.movedAt),
    changedAt: now,
  };
  return [record({ kind: "task-added", task })];
}

function follow(
  task: Task,
  read: ReadCard | undefined,
  snapshot: IntakeSnapshot,
): readonly IntakeCommand[] {
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
): readonly IntakeCommand[] {
  const { now: at } = snapshot;
  const reason = takenAwayBecause(task, read, snapshot);
  if (reason !== undefined) {
    const { id, state: from } = task;
    const moved = { kind: "task-moved", task: id, from, to: "cancelled", reason, at } as const;
    return [record({ ...moved, set: {} })];
  }
  if (read === undefined || read.specHash === task.specHash) return [];
  const { spec, specHash } = read;
  return [record({ kind: "task-respecified", task: task.id, spec, specHash, at })];
}

function followRunning(
  task: Task,
  read: ReadCard | undefined,
  snapshot: IntakeSnapshot,
): readonly IntakeCommand[] {
  const reason = takenAwayBecause(task, read, snapshot);
  if (reason === undefined) return [];
  const runs = snapshot.activeRuns.get(task.id) ?? [];
  return runs.map((run) => ({ kind: "cancel-run", run, reason }));
}

/** The columns that we use ourselves keep a task alive; any other is a person taking it back. */
function takenAwayBecause(
  { state }: Task,
  read: ReadCard | undefined,
  { absent = "its card was taken off the board", renamed = [] }: IntakeSnapshot,
): string | undefined {
  // Whoever renames or deletes a column takes nothing back.
  const isUnclear = renamed.includes(state === "running" ? "running" : "ready");
  if (read === undefined) return absent;
  const { issue, role } = read.card;
  if (issue.state !== "open") return "its issue was closed";
  if (role === "done" || (role === undefined && !isUnclear))
    return "its card was moved away from Ready";
  return undefined;
}

/** Only a move to Ready that is newer than the last request asks again: no move counts twice, and none outlives a command. */
function askedAgain(task: Task, read: ReadCard | undefined, at: Instant): readonly IntakeCommand[] {
  if (read?.card.role !== "ready" || read.card.issue.state !== "open") return [];
  const readySince = instant(read.card.movedAt);
  if (readySince <= task.readySince) return [];
  const { spec, specHash } = read;
  const again = { kind: "task-moved", task: task.id, from: task.state, to: "waiting" } as const;
  const set = { failures: 0, notBefore: null, readySince, cardId: read.card.id };
  return [
    record(
      { ...again, reason: "moved to Ready again", at, set },
      { kind: "task-respecified", task: task.id, spec, specHash, at },
    ),
  ];
}
