import type { Change } from "../domain/change.ts";
import type { RepoPause } from "../domain/given-command.ts";
import type { Instant } from "../domain/ids.ts";
import type { Train } from "../domain/train.ts";

/**
 * The train as the repository's pause has it. The command that pauses stops the trains that are there; one whose row was being
 * written meanwhile, or whose halt ended by itself, is stopped here. A halt stays one: it lands nothing either.
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

/** What is written when the train is not as it is on record. */
export function decidePauseMove(recorded: Train, now: Train, at: Instant): readonly Change[] {
  if (recorded.state === now.state) return [];
  return [
    {
      ...{ kind: "train-moved", train: now.id, from: recorded.state, to: now.state },
      unchangedSince: recorded.changedAt,
      ...{ reason: now.reason, at, set: { by: now.by ?? null } },
    },
  ];
}
