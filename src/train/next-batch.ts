import type { Entry } from "../domain/entry.ts";
import { instant } from "../domain/ids.ts";
import type { Instant, TaskId } from "../domain/ids.ts";
import type { Run } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import type { Train } from "../domain/train.ts";
import { batchLimit } from "./batch-size.ts";
import { trainOrder } from "./order.ts";
import { pathsApart } from "./paths-apart.ts";
import { isDue } from "./pauses.ts";
import type { TrainSnapshot } from "./snapshot.ts";

/** The entries to verify next: the first group of suspects, or as many from the front as are apart from each other. */
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
  return batch.length < limit && isBefore(companyEnd(waiting, snapshot), snapshot) ? [] : batch;
}

/** A landing costs a verification and two writes, however many land together: others may join while that costs nobody much. */
const COMPANY_MS = 2_000;

/** Until when the first in the queue waits for others to land with; undefined when it does not. */
export function companyEnd(
  entries: readonly Entry[],
  { landDelayMs, now, runs }: Pick<TrainSnapshot, "landDelayMs" | "now" | "runs">,
): Instant | undefined {
  const times = entries.flatMap(({ state, enqueuedAt }) => (state === "queued" ? enqueuedAt : []));
  if (times.length === 0) return undefined;
  const roomMs = runs.some(isArriving) ? COMPANY_MS : landDelayMs;
  return roomMs <= 0 ? undefined : instant(Math.min(Math.min(...times) + COMPANY_MS, now + roomMs));
}

/** Its agent is done: the change will have its pull request in a moment, and may be approved in the next. */
function isArriving({ state, agentEndedAt }: Run): boolean {
  return state !== "finished" && agentEndedAt !== undefined;
}

function isBefore(end: Instant | undefined, { now }: Pick<TrainSnapshot, "now">): boolean {
  return end !== undefined && now < end;
}

/** Queued entries that may go now, in their order; what depends on one that may not waits with it. */
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

/** An ordered prefix: the first that is not apart from those before it ends the batch. */
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
    // Nothing is known to be apart from a change of which nothing is known.
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
