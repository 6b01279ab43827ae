import type { Change, Intent } from "../../domain/change.ts";
import { namesOf, entryName } from "../../domain/entry.ts";
import type { Batch, Entry } from "../../domain/entry.ts";
import { instant } from "../../domain/ids.ts";
import type { Instant, Sha } from "../../domain/ids.ts";
import type { Task } from "../../domain/task.ts";
import type { Train } from "../../domain/train.ts";
import { afterGreen } from "../decide/next-batch.ts";
import { OUT_OF_BATCH, entryMoved, taskMoved } from "../queue/entry-changes.ts";
import type { LandingMode } from "../queue/policy.ts";

export interface Landing {
  readonly batch: Batch;
  readonly tasks: readonly Task[];
  readonly train: Train;
  readonly now: Instant;
}

/** Decides the changes that are recorded before the base branch is touched. */
export function decideOpenLanding(
  { batch, train, now: at }: Landing,
  { base, mode }: { readonly base: string; readonly mode: LandingMode },
): readonly Change[] {
  const { candidate, entries } = batch;
  const [first] = entries;
  if (first === undefined) return [];
  const intent: Intent = {
    key: landingKey(batch),
    repo: first.repo,
    kind: "land",
    subject: first.task,
    openedAt: at,
    detail: { mode, base: candidate.base, commit: candidate.commit, tree: candidate.tree },
  };
  const reason = `landing on ${base}`;
  // This is a guard: the store refuses all of these changes when someone paused the train meanwhile.
  const stillRunning: Change = {
    kind: "train-moved",
    train: train.id,
    from: "running",
    to: "running",
    reason: train.reason,
    at,
    set: {},
  };
  return [
    stillRunning,
    { kind: "intent-opened", intent },
    ...entries.map((entry) => entryMoved(entry, "landing", { reason, at })),
  ];
}

/** Names the commit that landed one entry. The steps are in the order of the batch's entries. */
export interface LandedStep {
  readonly commit: Sha;
}

/** Decides the changes after the batch was seen on the base branch. A `breach` says that the landed commit is wrong, whatever tests say. */
export function decideLanded(
  landing: Landing,
  steps: readonly LandedStep[],
  breach: string | undefined,
): readonly Change[] {
  const { batch, tasks, train, now: at } = landing;
  const landed = batch.entries.flatMap((entry, place): readonly Change[] => {
    const commit = steps[place]?.commit ?? batch.candidate.commit;
    return landedEntry({ entry, task: taskOf(entry, tasks), breach }, commit, at);
  });
  const learned = {
    ...afterGreen(train, batch.entries.length),
    suspects: train.suspects
      .map((group) => group.filter((id) => !batch.entries.some((entry) => entry.id === id)))
      .filter((group) => group.length > 0),
  };
  const { id, state, reason } = train;
  const move: Change =
    breach === undefined
      ? { kind: "train-moved", train: id, from: state, to: state, reason, at, set: learned }
      : haltedBy(train, "integrity-breach", { reason: breach, at });
  return [...landed, move, closedIntent(batch, `landed as ${batch.candidate.commit}`, at)];
}

interface LandedEntry {
  readonly entry: Entry;
  readonly task: Task | undefined;
  /** The breach is told on the task's issue too, because there may be nobody else in the train to tell it to. */
  readonly breach: string | undefined;
}

export function landedEntry(
  { entry, task, breach }: LandedEntry,
  commit: Sha,
  at: Instant,
): readonly Change[] {
  const landed = `landed on ${entry.base} as ${commit.slice(0, 7)}`;
  const reason = breach === undefined ? landed : `${landed}, but ${breach}; then say /resume`;
  const set = { landedSha: commit };
  const after: Intent = {
    key: `finish-landing:${entry.id}`,
    repo: entry.repo,
    kind: "finish-landing",
    subject: entry.task,
    detail: { entry: entry.id, ...(entry.batch !== undefined && { batch: entry.batch }) },
    openedAt: at,
  };
  return [
    entryMoved(entry, "landed", { reason, at, set }),
    ...(task === undefined || task.state === "landed"
      ? []
      : ([
          { kind: "task-moved", task: task.id, from: task.state, to: "landed", reason, at, set },
        ] as const)),
    { kind: "intent-opened", intent: after },
  ];
}

export interface NotLanded {
  readonly to: "queued" | "superseded" | "rejected";
  readonly reason: string;
  /** The same is not tried again before this time is over. */
  readonly pauseMs: number;
  /** GitHub refused it under these circumstances. */
  readonly refusedUnder?: string;
}

/** The base does not have the batch: its entries go back to their places, or out of the train. */
export function decideNotLanded(landing: Landing, end: NotLanded): readonly Change[] {
  const { batch, tasks, now: at } = landing;
  const { to, reason } = end;
  const notBefore = instant(at + end.pauseMs);
  const refusal = end.refusedUnder === undefined ? {} : { refusedUnder: end.refusedUnder };
  const moved = batch.entries.flatMap((entry): readonly Change[] => {
    const task = taskOf(entry, tasks);
    const set = to === "queued" ? { ...OUT_OF_BATCH, notBefore } : { ...OUT_OF_BATCH, ...refusal };
    const back =
      to === "queued" || task?.state !== "queued"
        ? []
        : [taskMoved(task, "review", { reason, at })];
    return [entryMoved(entry, to, { reason, at, set }), ...back];
  });
  return [...moved, closedIntent(batch, reason, at)];
}

/** GitHub lists broken rules in paragraphs: people get them as one sentence. */
export function refusalWords(reason: string): string {
  const words = reason.split(/\s*\n\s*/).filter((line) => line !== "");
  return `GitHub refused: ${words.join(" ")}`;
}

export function haltedBy(
  train: Train,
  cause: NonNullable<Train["cause"]>,
  { reason, at }: { readonly reason: string; readonly at: Instant },
): Change {
  return {
    kind: "train-moved",
    train: train.id,
    from: train.state,
    to: "halted",
    reason,
    at,
    set: { cause, by: null },
  };
}

function closedIntent(batch: Batch, result: string, at: Instant): Change {
  return { kind: "intent-closed", key: landingKey(batch), result, at };
}

export function landingKey({ id }: Batch): string {
  return `land:${id}`;
}

function taskOf(entry: Entry, tasks: readonly Task[]): Task | undefined {
  return tasks.find(({ id }) => id === entry.task);
}

export function batchName({ entries }: Batch): string {
  return namesOf(entries.map(entryName));
}
