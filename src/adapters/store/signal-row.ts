import type { Instant } from "../../domain/ids.ts";
import type { Signal, SignalSubject } from "../../domain/signal.ts";
import { canonicalJson } from "./canonical-json.ts";
import { columnsOf, membersOf, without } from "./columns.ts";
import type { Columns } from "./columns.ts";

type Plain = Omit<Signal, "subject" | "actor">;

export type SignalRow = Columns<Plain> & {
  readonly subject: string | null;
  readonly actor: string | null;
  readonly seenAt: Instant | null;
};

export function signalRow({ subject, actor, ...plain }: Signal): SignalRow {
  return {
    ...columnsOf<Plain>(plain),
    subject: subject === undefined ? null : canonicalJson(subject),
    actor: actor ?? null,
    seenAt: null,
  };
}

export function signalFromRow(row: SignalRow): Signal {
  const { subject, actor } = row;
  return {
    ...membersOf<Plain>(without(row, "subject", "actor", "seenAt")),
    ...(subject !== null && { subject: JSON.parse(subject) as SignalSubject }),
    ...(actor !== null && { actor }),
  };
}
