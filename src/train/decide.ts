import type { Change } from "../domain/change.ts";
import { isOpenEntry } from "../domain/entry.ts";
import type { Entry } from "../domain/entry.ts";
import type { Instant } from "../domain/ids.ts";
import type { Train } from "../domain/train.ts";
import type { TrainCommand } from "./command.ts";
import { decideAdvance } from "./decide-advance.ts";
import { decideDrop, decideEnqueued, decideGonePulls } from "./decide-entries.ts";
import { decideNativeQueue } from "./decide-native-queue.ts";
import { decidePauseMove, underPause } from "./decide-pause.ts";
import { companyEnd } from "./next-batch.ts";
import { presentTrain } from "./present-train.ts";
import { pauseEnd } from "./pauses.ts";
import type { TrainSnapshot } from "./snapshot.ts";

export interface TrainDecision {
  readonly commands: readonly TrainCommand[];
  /** When to look again without any news: a pause is over. */
  readonly again: Instant | undefined;
}

/** One step of the train of one base branch: at most one batch lands at a time, and only what was verified on this base. */
export function decide(snapshot: TrainSnapshot): TrainDecision {
  const recorded = presentTrain(snapshot);
  const train = underPause(recorded, snapshot.pause);
  const open = snapshot.entries.filter((entry) => isOpenEntry(entry.state));
  const dropped = open.flatMap((entry) => decideDrop(entry, snapshot));
  const droppedIds = new Set(dropped.map((drop) => drop.entry));
  const kept = open.filter((entry) => !droppedIds.has(entry.id));
  const enqueued = decideEnqueued(snapshot, open);
  const commands = [
    ...decideFirstRow(train, snapshot, [...enqueued, ...kept]),
    ...recordOf(snapshot.train === undefined ? [] : decidePauseMove(recorded, train, snapshot.now)),
    ...decideGonePulls(snapshot, open),
    ...recordOf(dropped.flatMap((drop) => drop.changes)),
    ...decideStops(open.filter(({ id }) => droppedIds.has(id))),
    ...recordOf(enqueued),
    ...decideOpenSettlements(snapshot),
    ...advance(kept, train, snapshot),
  ];
  return {
    commands,
    again: earliestOf(pauseEnd(snapshot), companyEnd(open, snapshot), snapshot.now),
  };
}

/** The first of these that is still to come. */
function earliestOf(
  pause: Instant | undefined,
  company: Instant | undefined,
  now: Instant,
): Instant | undefined {
  const ahead = [pause, company].filter((at) => at !== undefined && at > now);
  return ahead.reduce((a, b) => (a !== undefined && b !== undefined && a < b ? a : b), undefined);
}

function advance(
  kept: readonly Entry[],
  train: Train,
  snapshot: TrainSnapshot,
): readonly TrainCommand[] {
  return snapshot.policy.landing === "merge-queue"
    ? decideNativeQueue(kept, train, snapshot)
    : decideAdvance(kept, train, snapshot);
}

/** The train's own row is written with its first entry. */
function decideFirstRow(
  train: Train,
  snapshot: TrainSnapshot,
  reasons: readonly unknown[],
): readonly TrainCommand[] {
  if (snapshot.train !== undefined || reasons.length === 0) return [];
  return recordOf([{ kind: "train-added", train }]);
}

/** Nobody waits for a candidate that has lost a member. */
function decideStops(dropped: readonly Entry[]): readonly TrainCommand[] {
  return dropped.flatMap(({ state, candidate }): readonly TrainCommand[] =>
    state === "verifying" && candidate !== undefined
      ? [{ kind: "stop-verification", commit: candidate.commit }]
      : [],
  );
}

/** What follows a landing and did not get done: the issue, the branch. */
function decideOpenSettlements({ intents, entries }: TrainSnapshot): readonly TrainCommand[] {
  const landings = intents.flatMap(({ kind, key, detail }) => {
    const entry = entries.find(({ id }) => id === detail["entry"]);
    return kind !== "settle" || entry === undefined ? [] : [{ entry, key }];
  });
  return landings.length === 0 ? [] : [{ kind: "finish-landings", landings }];
}

function recordOf(changes: readonly Change[]): readonly TrainCommand[] {
  return changes.length === 0 ? [] : [{ kind: "record", changes }];
}
