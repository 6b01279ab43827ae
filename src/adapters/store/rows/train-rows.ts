import type { Candidate, Entry, Evidence } from "../../../domain/entry.ts";
import type { Train } from "../../../domain/train.ts";
import { canonicalJson, columnsOf, membersOf } from "./columns.ts";
import type { Columns } from "./columns.ts";

type PlainTrainMembers = Omit<Train, "suspects">;

export type TrainRow = Columns<PlainTrainMembers> & { readonly suspects: string };

export function trainRow(train: Train): TrainRow {
  return { ...columnsOf(train), suspects: suspectsColumn(train.suspects) };
}

export function suspectsColumn(suspects: Train["suspects"]): string {
  return canonicalJson(suspects);
}

export function trainFromRow(row: TrainRow): Train {
  return {
    ...membersOf<PlainTrainMembers>(row),
    suspects: JSON.parse(row.suspects) as Train["suspects"],
  };
}

type PlainEntryMembers = Omit<Entry, "approvedBy" | "candidate" | "evidence">;

export type EntryRow = Columns<PlainEntryMembers> & {
  readonly approvedBy: string;
  readonly candidate: string | null;
  readonly evidence: string | null;
};

export function entryRow(entry: Entry): EntryRow {
  return {
    ...columnsOf(entry),
    approvedBy: canonicalJson(entry.approvedBy),
    candidate: jsonColumn(entry.candidate),
    evidence: jsonColumn(entry.evidence),
  };
}

export function jsonColumn(value: Candidate | Evidence | null | undefined): string | null {
  return value == null ? null : canonicalJson(value);
}

export function entryFromRow(row: EntryRow): Entry {
  return {
    ...membersOf<PlainEntryMembers>(row),
    approvedBy: JSON.parse(row.approvedBy) as string[],
    candidate: row.candidate === null ? undefined : (JSON.parse(row.candidate) as Candidate),
    evidence: row.evidence === null ? undefined : (JSON.parse(row.evidence) as Evidence),
  };
}
