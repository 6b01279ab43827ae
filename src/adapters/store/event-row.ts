import type { Change } from "../../domain/change.ts";
import type { RecordedEvent } from "../../ports/store.ts";
import { canonicalJson } from "./canonical-json.ts";
import { linkHash } from "./chain.ts";
import type { Link } from "./chain.ts";

export type EventRow = Omit<RecordedEvent, "change"> & { readonly change: string };

/** The row that follows `last` in the chain. */
export function eventRow(last: Link, content: Omit<RecordedEvent, "seq" | "hash">): EventRow {
  const event = { ...content, seq: last.seq + 1 };
  return {
    ...event,
    change: canonicalJson(content.change),
    hash: linkHash(last.hash, event),
  };
}

export function eventFromRow(row: EventRow): RecordedEvent {
  return { ...row, change: JSON.parse(row.change) as Change };
}
