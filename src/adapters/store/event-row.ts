import type { Change } from "../../domain/change.ts";
import type { TaskId } from "../../domain/ids.ts";
import type { RecordedEvent } from "../../ports/store.ts";
import { canonicalJson } from "./canonical-json.ts";
import { linkHash } from "./chain.ts";
import type { Link } from "./chain.ts";
import { without } from "./columns.ts";

export type EventRow = Omit<RecordedEvent, "change"> & {
  readonly change: string;
  /** The task whose events this is one of, while it may still be folded. */
  readonly task: TaskId | null;
  /** Where the folded events began that this one stands for. */
  readonly foldedFrom: number | null;
};

/** The row that follows `last` in the chain. */
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
