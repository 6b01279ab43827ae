import { newTrain } from "../domain/train.ts";
import type { Train } from "../domain/train.ts";
import type { TrainSnapshot } from "./snapshot.ts";

/** The train as it is on record, or as it begins: a breach under the base's old name has still to be looked at. */
export function presentTrain({ train, trains, repo, base, now }: TrainSnapshot): Train {
  if (train !== undefined) return train;
  const breached = trains.find(({ cause }) => cause === "integrity-breach");
  const begun = newTrain(repo, base, now);
  if (breached === undefined) return begun;
  const { state, cause, reason } = breached;
  return { ...begun, state, cause, reason };
}
