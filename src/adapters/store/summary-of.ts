import { createHash } from "node:crypto";
import type { Change, TaskCompacted } from "../../domain/change.ts";
import type { RecordedEvent } from "../../ports/store.ts";

export interface Ended extends Pick<TaskCompacted, "task" | "runs" | "entries" | "at"> {
  /** All of the task's events, oldest first. */
  readonly events: readonly RecordedEvent[];
}

/** The one event that says what all events of a task came to. */
export function summaryOf({ events, ...rows }: Ended): TaskCompacted {
  const digest = createHash("sha256");
  for (const { hash } of events) digest.update(hash);
  return {
    kind: "task-compacted",
    ...rows,
    fence: Math.max(0, ...events.map(({ change }) => fenceOf(change))),
    replaces: { events: events.length, digest: digest.digest("hex") },
  };
}

function fenceOf(change: Change): number {
  if (change.kind === "claims-taken") return change.hold.fence;
  return change.kind === "claims-extended" ? change.next : 0;
}
