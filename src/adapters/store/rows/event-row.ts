import { createHash } from "node:crypto";
import type { Change } from "../../../domain/change.ts";
import type { TaskId } from "../../../domain/ids.ts";
import type { RecordedEvent } from "../../../ports/store.ts";
import { canonicalJson, without } from "./columns.ts";

export type EventRow = Omit<RecordedEvent, "change"> & {
  readonly change: string;
  /** This is the task that the event belongs to, as long as the event may still be folded. */
  readonly task: TaskId | null;
  /** This is the number of the first folded event that this row stands for. */
  readonly foldedFrom: number | null;
};

/** This is the last event of the chain, which the next one follows. */
export type Link = Pick<RecordedEvent, "seq" | "hash">;

export const FIRST_LINK: Link = { seq: 0, hash: "" };

/** Makes the row that follows `last` in the chain. */
export function eventRow(last: Link, content: Omit<RecordedEvent, "seq" | "hash">): EventRow {
  const event = { ...content, seq: last.seq + 1 };
  return {
    ...event,
    change: canonicalJson(content.change),
    hash: linkHash(last.hash, event),
    task: null,
    foldedFrom: null,
  };
}

export function eventFromRow(row: EventRow): RecordedEvent {
  const event = without(row, "task", "foldedFrom");
  return { ...event, change: JSON.parse(row.change) as Change };
}

/**
 * Finds the first event that is not what was written after `last`, because something was changed, removed or put in. The row that
 * replaces folded events vouches for them.
 */
export function brokenLink(
  events: readonly RecordedEvent[],
  last: Link = FIRST_LINK,
): RecordedEvent | undefined {
  let previous = last;
  for (const event of events) {
    if (!follows(event, previous)) return event;
    previous = event;
  }
  return undefined;
}

function follows(event: RecordedEvent, previous: Link): boolean {
  const { hash, ...content } = event;
  // A reader may have stopped in the middle of events that were folded since.
  if (event.change.kind === "events-folded")
    return event.change.first <= previous.seq + 1 && previous.seq < event.seq;
  return event.seq === previous.seq + 1 && hash === linkHash(previous.hash, content);
}

function linkHash(previousHash: string, event: Omit<RecordedEvent, "hash">): string {
  return createHash("sha256").update(previousHash).update(canonicalJson(event)).digest("hex");
}
