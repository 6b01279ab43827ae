import type { Entry } from "../domain/entry.ts";
import type { Train } from "../domain/train.ts";
import type { TrainCommand } from "./command.ts";
import { entryExplained } from "./entry-changes.ts";
import { isDue } from "./pauses.ts";
import type { TrainSnapshot } from "./snapshot.ts";
import { standingReason } from "./standing-reason.ts";

/** GitHub's own queue verifies and lands; ours hands over in order, answers its checks and sees what came of it. */
export function decideNativeQueue(
  kept: readonly Entry[],
  train: Train,
  { now }: TrainSnapshot,
): readonly TrainCommand[] {
  const inQueue = kept.filter(({ state }) => state === "verifying");
  const follow: readonly TrainCommand[] =
    inQueue.length === 0 ? [] : [{ kind: "follow-native-queue", entries: inQueue }];
  const queued = kept.filter((entry) => entry.state === "queued" && isDue(entry, now));
  if (train.state !== "running") {
    const reason = standingReason(train);
    const changes = queued.flatMap((entry) => entryExplained(entry, reason, now));
    return [...(changes.length === 0 ? [] : [{ kind: "record", changes } as const]), ...follow];
  }
  const inOrder = queued.toSorted((a, b) => a.enqueuedAt - b.enqueuedAt);
  return [...inOrder.map((entry) => ({ kind: "enqueue-natively", entry }) as const), ...follow];
}
