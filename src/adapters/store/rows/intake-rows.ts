import type { GivenCommand } from "../../../domain/given-command.ts";
import type { Instant } from "../../../domain/ids.ts";
import type { Signal, SignalSubject } from "../../../domain/signal.ts";
import { canonicalJson, columnsOf, membersOf, without } from "./columns.ts";
import type { Columns } from "./columns.ts";

type PlainSignalMembers = Omit<Signal, "subject" | "actor">;

export type SignalRow = Columns<PlainSignalMembers> & {
  readonly subject: string | null;
  readonly actor: string | null;
  readonly seenAt: Instant | null;
};

export function signalRow({ subject, actor, ...plain }: Signal): SignalRow {
  return {
    ...columnsOf<PlainSignalMembers>(plain),
    subject: subject === undefined ? null : canonicalJson(subject),
    actor: actor ?? null,
    seenAt: null,
  };
}

export function signalFromRow(row: SignalRow): Signal {
  const { subject, actor } = row;
  return {
    ...membersOf<PlainSignalMembers>(without(row, "subject", "actor", "seenAt")),
    ...(subject !== null && { subject: JSON.parse(subject) as SignalSubject }),
    ...(actor !== null && { actor }),
  };
}

export type CommandRow = Columns<Omit<GivenCommand, "answer" | "effects">> & {
  readonly answer: string;
  readonly effects: string;
};

export function commandRow({ answer, effects, ...members }: GivenCommand): CommandRow {
  return {
    ...columnsOf(members),
    answer: canonicalJson(answer),
    effects: canonicalJson(effects),
  };
}

export function commandFromRow({ answer, effects, ...columns }: CommandRow): GivenCommand {
  return {
    ...membersOf<Omit<GivenCommand, "answer" | "effects">>(columns),
    answer: JSON.parse(answer) as GivenCommand["answer"],
    effects: JSON.parse(effects) as GivenCommand["effects"],
  };
}
