import type { Change, EntryPatch } from "../../domain/change.ts";
import { entryName } from "../../domain/entry.ts";
import type { Candidate, Entry, EntryState } from "../../domain/entry.ts";
import type { Instant } from "../../domain/ids.ts";
import type { Task, TaskState } from "../../domain/task.ts";

/** Clears the fields that an entry has only while it is in a batch. */
export const OUT_OF_BATCH: EntryPatch = {
  batch: null,
  place: null,
  candidate: null,
  evidence: null,
};

interface Move {
  readonly reason: string;
  readonly at: Instant;
  readonly set?: EntryPatch;
}

export function entryMoved(entry: Entry, to: EntryState, { reason, at, set = {} }: Move): Change {
  return { kind: "entry-moved", entry: entry.id, from: entry.state, to, reason, at, set };
}

export function taskMoved(
  task: Task,
  to: TaskState,
  { reason, at }: Pick<Move, "reason" | "at">,
): Change {
  return { kind: "task-moved", task: task.id, from: task.state, to, reason, at, set: {} };
}

/** Says why an entry waits, if that is news. */
export function entryExplained(entry: Entry, reason: string, at: Instant): readonly Change[] {
  if (entry.state !== "queued" || entry.reason === reason) return [];
  return [entryMoved(entry, "queued", { reason, at })];
}

/** `checks` names those that are not reported yet. */
export function verifyingReason(
  entries: readonly Entry[],
  { base }: Candidate,
  checks: string,
): string {
  const then = checks === "" ? "" : `, waits for ${checks}`;
  return `verifying ${entries.map(entryName).join(", ")} on top of ${base.slice(0, 7)}${then}`;
}
