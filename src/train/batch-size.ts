import type { TrainPatch } from "../domain/change.ts";
import { withVerdict } from "../domain/train.ts";
import type { Train } from "../domain/train.ts";

/** No larger than pays at the failure rate of late: pooling n changes is best at n = 1/√p. */
export function batchLimit({ size, verdicts }: Train, most: number): number {
  const reds = verdicts.length - verdicts.replaceAll("r", "").length;
  const best = reds === 0 ? Infinity : Math.floor(1 / Math.sqrt(reds / verdicts.length));
  return Math.max(1, Math.min(size, most, best));
}

/** One more after a green batch of `count` changes. */
export function afterGreen({ size, verdicts }: Train, count: number): TrainPatch {
  const seen = Array.from({ length: count }).reduce<string>(
    (all) => withVerdict(all, "g"),
    verdicts,
  );
  return { size: size + 1, verdicts: seen };
}

/** Half of what was allowed after a red one. */
export function afterRed({ size }: Train, most: number): TrainPatch {
  return { size: Math.max(1, Math.floor(Math.min(size, most) / 2)) };
}

/** A change that failed alone. */
export function afterRejection(train: Train, most: number): TrainPatch {
  return { ...afterRed(train, most), verdicts: withVerdict(train.verdicts, "r") };
}
