import type { Change } from "../../domain/change.ts";
import type { Instant } from "../../domain/ids.ts";

/** When the change happened. */
export function timeOf(change: Change): Instant {
  if ("at" in change) return change.at;
  switch (change.kind) {
    case "task-added":
      return change.task.changedAt;
    case "run-queued":
      return change.run.queuedAt;
    case "entry-added":
      return change.entry.enqueuedAt;
    case "intent-opened":
      return change.intent.openedAt;
    case "command-given":
      return change.command.at;
    case "train-added":
      return change.train.changedAt;
    case "verdict-given":
      return change.verdict.at;
    case "claims-taken":
      return change.hold.takenAt;
  }
}
