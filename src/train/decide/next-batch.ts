import type { TrainPatch } from "../../domain/change.ts";
import type { Entry } from "../../domain/entry.ts";
import { instant } from "../../domain/ids.ts";
import type { Instant, TaskId } from "../../domain/ids.ts";
import type { Run } from "../../domain/run.ts";
import type { Task } from "../../domain/task.ts";
import { withVerdict } from "../../domain/train.ts";
import type { Train } from "../../domain/train.ts";
import type { TrainSnapshot } from "../queue/snapshot.ts";
import { trainOrder } from "./order.ts";
import { isDue } from "./pauses.ts";

/** A landing costs one verification and two writes, however many entries land together. So the first one waits this long for others. */
const JOIN_WAIT_MS = 2_000;

/** Picks the entries to verify next: the first group of suspects, or as many from the front as touch different paths. */
export function nextBatch(
  kept: readonly Entry[],
  train: Train,
  snapshot: TrainSnapshot,
): readonly Entry[] {
  const waiting = inOrder(kept, snapshot);
  const suspects = train.suspects
    .map((group) => waiting.filter((entry) => group.includes(entry.id)))
    .find((group) => group.length > 0);
  if (suspects !== undefined) return suspects.slice(0, snapshot.policy.batch);
  const limit = batchLimit(train, snapshot.policy.batch);
  const batch = apartFromFront(waiting, limit, snapshot);
  return batch.length < limit && isBefore(joinWaitEnd(waiting, snapshot), snapshot) ? [] : batch;
}

/** Says until when the first entry in the queue waits for others to land with it. It is undefined when nothing waits. */
export function joinWaitEnd(
  entries: readonly Entry[],
  { landDelayMs, now, runs }: Pick<TrainSnapshot, "landDelayMs" | "now" | "runs">,
): Instant | undefined {
  const times = entries.flatMap(({ state, enqueuedAt }) => (state === "queued" ? enqueuedAt : []));
  if (times.length === 0) return undefined;
  const roomMs = runs.some(isArriving) ? JOIN_WAIT_MS : landDelayMs;
  return roomMs <= 0
    ? undefined
    : instant(Math.min(Math.min(...times) + JOIN_WAIT_MS, now + roomMs));
}

/** Limits a batch to the size that pays at the recent failure rate p: testing n changes together is cheapest at n = 1/√p. */
export function batchLimit({ size, verdicts }: Train, max: number): number {
  const reds = verdicts.length - verdicts.replaceAll("r", "").length;
  const best = reds === 0 ? Infinity : Math.floor(1 / Math.sqrt(reds / verdicts.length));
  return Math.max(1, Math.min(size, max, best));
}

/** Allows one more change per batch after a green batch of `count` changes. */
export function afterGreen({ size, verdicts }: Train, count: number): TrainPatch {
  const seen = Array.from({ length: count }).reduce<string>(
    (all) => withVerdict(all, "g"),
    verdicts,
  );
  return { size: size + 1, verdicts: seen };
}

/** Halves the allowed size after a red batch. */
export function afterRed({ size }: Train, max: number): TrainPatch {
  return { size: Math.max(1, Math.floor(Math.min(size, max) / 2)) };
}

/** Halves the allowed size and remembers the failure of a change that failed alone. */
export function afterRejection(train: Train, max: number): TrainPatch {
  return { ...afterRed(train, max), verdicts: withVerdict(train.verdicts, "r") };
}

/**
 * Tells whether two changes touch no common path, and neither makes a file where the other has a directory. One may move a directory
 * to which the other adds a file: directory-rename detection is off, so both together give the same tree as one after the other, and
 * that tree is verified. This decides only which changes are verified together, never whether a change is verified.
 */
export function pathsApart(a: readonly string[], b: readonly string[]): boolean {
  return !anyWithin(a, b) && !anyWithin(b, a);
}

/** Returns the queued entries that may go now, in their order. An entry that depends on a waiting one waits too. */
function inOrder(kept: readonly Entry[], snapshot: TrainSnapshot): readonly Entry[] {
  const taskOf = new Map(snapshot.tasks.map((task) => [task.id, task]));
  const queued = kept.flatMap((entry) => {
    const task = taskOf.get(entry.task);
    return entry.state === "queued" && task !== undefined ? [{ entry, task }] : [];
  });
  const waits = new Set<TaskId>();
  return trainOrder(queued, snapshot.now).flatMap(({ entry, task }) => {
    if (isDue(entry, snapshot.now) && !dependsOnAny(task, waits)) return [entry];
    waits.add(task.id);
    return [];
  });
}

function dependsOnAny(task: Task, others: ReadonlySet<TaskId>): boolean {
  return task.spec.dependsOn.some((id) => others.has(id));
}

/** Takes an ordered prefix: the first entry that shares paths with those before it ends the batch. */
function apartFromFront(
  waiting: readonly Entry[],
  limit: number,
  snapshot: TrainSnapshot,
): readonly Entry[] {
  const taken: Entry[] = [];
  const paths: string[] = [];
  for (const entry of waiting.slice(0, limit)) {
    const touched = pathsOf(entry, snapshot);
    if (taken.length > 0 && (touched === undefined || !pathsApart(touched, paths))) break;
    taken.push(entry);
    // A change whose paths are unknown may share paths with any other.
    if (touched === undefined) break;
    paths.push(...touched);
  }
  return taken;
}

function pathsOf(entry: Entry, { runs }: TrainSnapshot): readonly string[] | undefined {
  const run = runs.findLast(
    ({ task, outcome }) =>
      task === entry.task && outcome?.kind === "succeeded" && outcome.head === entry.head,
  );
  return run?.outcome?.kind === "succeeded" ? run.outcome.files : undefined;
}

function isBefore(end: Instant | undefined, { now }: Pick<TrainSnapshot, "now">): boolean {
  return end !== undefined && now < end;
}

/** The agent of an arriving run is done: its pull request opens in a moment, and may be approved soon after. */
function isArriving({ state, agentEndedAt }: Run): boolean {
  return state !== "finished" && agentEndedAt !== undefined;
}

function anyWithin(paths: readonly string[], others: readonly string[]): boolean {
  const taken = new Set(others);
  return paths.some((path) => selfAndAbove(path).some((one) => taken.has(one)));
}

/** For `a/b/c` it returns `a/b/c`, `a` and `a/b`. */
function selfAndAbove(path: string): readonly string[] {
  const above = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
  return [path, ...above];
}
