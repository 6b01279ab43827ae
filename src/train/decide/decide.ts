import type { Change } from "../../domain/change.ts";
import { isOpenEntry } from "../../domain/entry.ts";
import type { Entry } from "../../domain/entry.ts";
import { soonest } from "../../domain/ids.ts";
import type { Instant } from "../../domain/ids.ts";
import type { Train } from "../../domain/train.ts";
import type { TrainAction } from "../queue/action.ts";
import type { TrainSnapshot } from "../queue/snapshot.ts";
import { decideAdvance, decideNativeQueue } from "./decide-advance.ts";
import { decideDrop, decideEnqueued, decideGonePulls } from "./decide-entries.ts";
import { nextLookAtChecks } from "./decide-readiness.ts";
import { decidePauseMove, underPause, presentTrain } from "./decide-train-state.ts";
import { joinWaitEnd } from "./next-batch.ts";
import { pauseEnd } from "./pauses.ts";

export interface TrainDecision {
  readonly actions: readonly TrainAction[];
  /** The train looks again at this time without any news, because a pause is over then. */
  readonly again: Instant | undefined;
}

/** Decides one step of the train of one base branch: at most one batch lands at a time, and only one that was verified on this base. */
export function decide(snapshot: TrainSnapshot): TrainDecision {
  const recorded = presentTrain(snapshot);
  const train = underPause(recorded, snapshot.pause);
  const open = snapshot.entries.filter((entry) => isOpenEntry(entry.state));
  const dropped = open.flatMap((entry) => decideDrop(entry, snapshot));
  const droppedIds = new Set(dropped.map((drop) => drop.entry));
  const kept = open.filter((entry) => !droppedIds.has(entry.id));
  const enqueued = decideEnqueued(snapshot, open);
  const actions = [
    ...decideFirstRow(train, snapshot, [...enqueued, ...kept]),
    ...recordOf(snapshot.train === undefined ? [] : decidePauseMove(recorded, train, snapshot.now)),
    ...decideGonePulls(snapshot, open),
    ...recordOf(dropped.flatMap((drop) => drop.changes)),
    ...decideStops(open.filter(({ id }) => droppedIds.has(id))),
    ...recordOf(enqueued),
    ...decideUnfinishedLandings(snapshot),
    ...advance(kept, train, snapshot),
  ];
  const looks = [pauseEnd(snapshot), joinWaitEnd(open, snapshot), nextLookAtChecks(snapshot)];
  return { actions, again: soonest(...looks.filter((at) => (at ?? 0) > snapshot.now)) };
}

function advance(
  kept: readonly Entry[],
  train: Train,
  snapshot: TrainSnapshot,
): readonly TrainAction[] {
  return snapshot.policy.landing === "merge-queue"
    ? decideNativeQueue(kept, train, snapshot)
    : decideAdvance(kept, train, snapshot);
}

/** The train's own row is written with its first entry. */
function decideFirstRow(
  train: Train,
  snapshot: TrainSnapshot,
  reasons: readonly unknown[],
): readonly TrainAction[] {
  if (snapshot.train !== undefined || reasons.length === 0) return [];
  return recordOf([{ kind: "train-added", train }]);
}

/** Nobody waits for a candidate that has lost a member. */
function decideStops(dropped: readonly Entry[]): readonly TrainAction[] {
  return dropped.flatMap(({ state, candidate }): readonly TrainAction[] =>
    state === "verifying" && candidate !== undefined
      ? [{ kind: "stop-verification", commit: candidate.commit }]
      : [],
  );
}

/** Finishes landings whose issue or branch was not yet tidied up. */
function decideUnfinishedLandings({ intents, entries }: TrainSnapshot): readonly TrainAction[] {
  const landings = intents.flatMap(({ kind, key, detail }) => {
    const entry = entries.find(({ id }) => id === detail["entry"]);
    return kind !== "finish-landing" || entry === undefined ? [] : [{ entry, key }];
  });
  return landings.length === 0 ? [] : [{ kind: "finish-landings", landings }];
}

function recordOf(changes: readonly Change[]): readonly TrainAction[] {
  return changes.length === 0 ? [] : [{ kind: "record", changes }];
}
