import type { Change } from "../../domain/change.ts";
import type { RepoPause } from "../../domain/given-command.ts";
import type { Instant } from "../../domain/ids.ts";
import { newTrain } from "../../domain/train.ts";
import type { Train } from "../../domain/train.ts";
import type { TrainSnapshot } from "../queue/snapshot.ts";

/** Returns the train as it is on record, or a new one. A new one keeps a breach that was found under the base's old name. */
export function presentTrain({ train, trains, repo, base, now }: TrainSnapshot): Train {
  if (train !== undefined) return train;
  const breached = trains.find(({ cause }) => cause === "integrity-breach");
  const begun = newTrain(repo, base, now);
  if (breached === undefined) return begun;
  const { state, cause, reason } = breached;
  return { ...begun, state, cause, reason };
}

/**
 * Returns the train with the repository's pause applied. The command that pauses stops the trains that exist; this stops a train
 * whose row was being written meanwhile, or whose halt ended by itself. A halted train stays halted: it lands nothing either.
 */
export function underPause(train: Train, pause: RepoPause | undefined): Train {
  if (pause !== undefined && train.state === "running") {
    return { ...train, state: "paused", by: pause.by, reason: pause.reason };
  }
  if (pause === undefined && train.state === "paused") {
    return { ...train, state: "running", by: undefined, reason: "the pause is over" };
  }
  return train;
}

/** Writes the train's state down when it differs from the recorded one. */
export function decidePauseMove(recorded: Train, now: Train, at: Instant): readonly Change[] {
  if (recorded.state === now.state) return [];
  return [
    {
      kind: "train-moved",
      train: now.id,
      from: recorded.state,
      to: now.state,
      unchangedSince: recorded.changedAt,
      reason: now.reason,
      at,
      set: { by: now.by ?? null },
    },
  ];
}
