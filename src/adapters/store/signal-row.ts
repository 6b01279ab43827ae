import type { Instant } from "../../domain/ids.ts";
import type { Signal } from "../../domain/signal.ts";
import { columnsOf, membersOf, without } from "./columns.ts";
import type { Columns } from "./columns.ts";

export type SignalRow = Columns<Signal> & { readonly seenAt: Instant | null };

export function signalRow(signal: Signal): SignalRow {
  return { ...columnsOf(signal), seenAt: null };
}

export function signalFromRow(row: SignalRow): Signal {
  return membersOf<Signal>(without(row, "seenAt"));
}
